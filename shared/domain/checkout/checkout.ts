import { ShippingMethodCode } from "../settings/zone-settings.ts";
import * as z from "zod";
import { PostalAddressInput } from "../contact/postal-address.ts";
import { CouponCode } from "../pricing/coupon.ts";
import { Id } from "../base/ids.ts";
import { MoneySum } from "../base/money.ts";
import { Order } from "../order/view/buyer-order.ts";
import { Payment } from "../payment/payment.ts";
import { PaymentPlanCode } from "../pricing/payment-plans.ts";
import { PaymentMethod } from "../settings/settings.ts";
import { TaxId, taxIdProblem } from "../contact/tax-id.ts";
import { Email, MultilineText, Phone, Text } from "../base/text.ts";

/**
 * The check for exactly one shipping address runs even if other members are invalid, so that one response reports all
 * errors.
 */
const aboutAddress = {
  path: ["shipping_address"],
  when: ({ value }: z.core.ParsePayload) => typeof value === "object" && value !== null,
};

/**
 * `POST /checkout`. Prices and totals are never taken from the request: `expected_total` is only compared with the
 * computed total.
 */
export const CheckoutInput = z
  .strictObject({
    email: Email,
    phone: Phone,
    name: Text(120),
    shipping_address: PostalAddressInput.optional(),
    address_id: Id("addr")
      .optional()
      .meta({ description: "Id of one of the customer's addresses" }),
    billing_address: PostalAddressInput.optional().meta({
      description: "Default: the shipping address",
    }),
    shipping_method: ShippingMethodCode.optional().meta({
      description:
        "Default: the method of a quote in the cart. Without such a quote it is required",
    }),
    payment_method: PaymentMethod,
    payment_plan: PaymentPlanCode.optional().meta({
      description:
        "One of the cart's `payment_plans`. A deposit is paid online or by transfer, never in cash. Default: the plan " +
        "of a quote in the cart, otherwise `full`",
    }),
    coupon: CouponCode.optional(),
    tax_id: TaxId.optional(),
    expected_total: MoneySum.optional(),
    note: MultilineText(1000).optional(),
    marketing_opt_in: z.boolean().default(false),
  })
  .refine(
    ({ shipping_address, address_id }) =>
      shipping_address !== undefined || address_id !== undefined,
    { ...aboutAddress, message: "The shipping address field is required." },
  )
  .refine(
    ({ shipping_address, address_id }) =>
      shipping_address === undefined || address_id === undefined,
    { ...aboutAddress, message: "Give either a shipping address or an address id, not both." },
  )
  .superRefine(({ billing_address, shipping_address, tax_id }, context) => {
    const billing = billing_address ?? shipping_address;
    if (tax_id === undefined || billing === undefined) return;
    const message = taxIdProblem(tax_id, billing);
    if (message !== undefined) context.addIssue({ code: "custom", path: ["tax_id"], message });
  });
export type CheckoutInput = z.output<typeof CheckoutInput>;

/** The response to a placed order. */
export const CheckoutAnswer = z.object({
  order: Order,
  order_access_token: z.string().nullable().meta({
    description: "Token that opens a guest's order, sent as `X-Order-Token`; null for customers",
  }),
  payment: Payment,
});
/** An answer before its response. */
export type CheckoutAnswer = z.input<typeof CheckoutAnswer>;

export const ConfirmAnswer = CheckoutAnswer.omit({ order_access_token: true });
/** An answer before its response. */
export type ConfirmAnswer = z.input<typeof ConfirmAnswer>;
