import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { PostalAddressPatch, addressProblem, patchedAddress } from "../contact/postal-address.ts";
import { Attention, type StoredOrder } from "./order.ts";
import { OrderStatus } from "./order-states.ts";
import { zoneOf } from "../contact/postal-code.ts";
import type { Settings } from "../settings/settings.ts";
import { taxIdMatches } from "../contact/tax-id.ts";
import { Email, MultilineText, Phone, Text } from "../base/text.ts";

/** `PATCH /admin/orders/{id}`. */
export const OrderPatch = z.strictObject({
  status: OrderStatus.optional().meta({ description: "One of `allowed_transitions`" }),
  notes: MultilineText(5_000).nullable().optional(),
  tags: z
    .array(Text(40))
    .max(20)
    .transform((tags) => [...new Set(tags)])
    .optional(),
  attention: z.array(Attention.shape.code).max(20).optional().meta({
    description: "The attention flags to keep; `[]` clears them all",
  }),
  customer: z
    .strictObject({
      name: Text(120).optional(),
      phone: Phone.optional(),
      email: Email.optional().meta({ description: "Can change only in guests' orders" }),
    })
    .optional()
    .meta({ description: "Can change until the order ships" }),
  addresses: z
    .strictObject({
      shipping: PostalAddressPatch.optional(),
      billing: PostalAddressPatch.optional(),
    })
    .optional()
    .meta({
      description: "Can change until the order ships. Members that are not sent stay unchanged",
    }),
});
export type OrderPatch = z.output<typeof OrderPatch>;

export type OrderEdit =
  | { readonly kind: "edited"; readonly order: StoredOrder }
  /** The order was shipped or has ended, so its customer and address can no longer change. */
  | { readonly kind: "settled" }
  | {
      readonly kind: "invalid";
      readonly problems: readonly { readonly path: string; readonly message: string }[];
    };

/** Statuses in which the customer and the address can still be edited. */
const open: ReadonlySet<OrderStatus> = new Set([
  "pending_payment",
  "confirmed",
  "in_production",
  "ready_to_dispatch",
]);

/** The order with the edited members; its status does not change. */
export function editOrder(
  order: StoredOrder,
  patch: OrderPatch,
  settings: Pick<Settings, "shipping" | "tax">,
): OrderEdit {
  const { notes = order.notes, tags = order.tags, attention } = patch;
  if ((patch.customer ?? patch.addresses) !== undefined && !open.has(order.status)) {
    return { kind: "settled" };
  }
  const edited: StoredOrder = {
    ...order,
    notes,
    tags,
    attention: order.attention.filter(({ code }) => attention?.includes(code) ?? true),
    ...contact(order, patch),
  };
  const problems = problemsOf(order, edited, patch, settings);
  return problems.length > 0 ? { kind: "invalid", problems } : { kind: "edited", order: edited };
}

function contact(
  { customer, addresses }: StoredOrder,
  patch: OrderPatch,
): Pick<StoredOrder, "customer" | "addresses"> {
  const {
    name = customer.name,
    phone = customer.phone,
    email = customer.email,
  } = patch.customer ?? {};
  const { shipping, billing } = patch.addresses ?? {};
  const buyer = { was: customer, is: { name, phone } };
  return {
    customer: { id: customer.id, name, phone, email },
    addresses: {
      shipping: shipping ? patchedAddress(addresses.shipping, shipping, buyer) : addresses.shipping,
      billing: billing ? patchedAddress(addresses.billing, billing, buyer) : addresses.billing,
    },
  };
}

function problemsOf(
  before: StoredOrder,
  after: StoredOrder,
  { attention = [] }: OrderPatch,
  { shipping, tax }: Pick<Settings, "shipping" | "tax">,
): { path: string; message: string }[] {
  const problems: { path: string; message: string }[] = [];
  for (const [position, code] of attention.entries()) {
    if (before.attention.some((each) => each.code === code)) continue;
    problems.push({
      path: `attention.${position}`,
      message: "The order does not have this attention flag.",
    });
  }
  if (before.customer.id !== null && before.customer.email !== after.customer.email) {
    problems.push({
      path: "customer.email",
      message: "The order belongs to an account. Only its owner can change its email.",
    });
  }
  for (const kind of ["shipping", "billing"] as const) {
    const message = addressProblem(after.addresses[kind]);
    if (message === null || isDeepStrictEqual(before.addresses[kind], after.addresses[kind]))
      continue;
    problems.push({ path: `addresses.${kind}.postal_code`, message });
  }
  if (problems.some(({ path }) => path === "addresses.shipping.postal_code")) return problems;
  const zones = ({ addresses }: StoredOrder) =>
    [shipping.zones, tax.zones].map((all) => zoneOf<(typeof all)[number]>(all, addresses.shipping));
  const [was, is] = [zones(before), zones(after)];
  if (was.some((zone, position) => zone?.code !== is[position]?.code)) {
    problems.push({
      path: "addresses.shipping.postal_code",
      message:
        "Delivery or tax costs a different amount at this address. Please place a new order.",
    });
  }
  if (
    after.tax_id !== null &&
    before.addresses.billing.country !== after.addresses.billing.country &&
    !taxIdMatches(after.addresses.billing.country, after.tax_id)
  ) {
    problems.push({
      path: "addresses.billing.country",
      message: "The order's tax number is not valid in this country.",
    });
  }
  return problems;
}
