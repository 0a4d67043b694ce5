import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { PostalAddressPatch, patchedAddress, readAddress } from "../../contact/postal-address.ts";
import {
  placedBefore,
  type Attention,
  type OrderRecord,
  type StoredOrder,
  flagId,
} from "../order.ts";
import { ChosenSlot } from "../../delivery/delivery-slot.ts";
import { OrderStatus } from "../status/order-states.ts";
import type { Problem } from "../../base/names.ts";
import { zoneOf } from "../../contact/postal-code.ts";
import type { Settings } from "../../settings/settings.ts";
import { MoneySum, writtenAmount } from "../../base/money.ts";
import { mostToKeep } from "../status/cancel-order.ts";
import { taxIdProblem } from "../../contact/tax-id.ts";
import { Email, MultilineText, Phone, Text } from "../../base/text.ts";

const ofCancellation = "Only with `status: cancelled`";

export const Tag = Text(40);

/** `PATCH /admin/orders/{id}`. */
export const OrderPatch = z.strictObject({
  status: OrderStatus.optional().meta({ description: "One of `allowed_transitions`" }),
  requested_by: z
    .enum(["shop", "buyer"])
    .optional()
    .meta({
      description: `${ofCancellation}. Default: \`shop\``,
    }),
  keep_amount: MoneySum.optional().meta({
    description:
      `${ofCancellation}. The part of a paid deposit that the shop keeps after a cancellation ` +
      "by the buyer, at most what is left of it. Default: 0, so everything is refunded",
  }),
  reason: MultilineText(500)
    .optional()
    .meta({
      description: `${ofCancellation}; required to keep an amount. Visible to staff only`,
    }),
  slot: ChosenSlot.nullable().optional().meta({
    description: "The delivery slot; null takes it back, and the buyer is asked to choose",
  }),
  notes: MultilineText(5_000).nullable().optional(),
  tags: z
    .array(Tag)
    .max(20)
    .transform((tags) => [...new Set(tags)])
    .optional(),
  attention: z.array(z.string().max(120)).max(50).optional().meta({
    description: "The ids or codes of the attention flags to keep; `[]` clears them all",
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
      readonly problems: readonly Problem[];
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
    attention: order.attention.filter(
      (flag) => attention === undefined || attention.some((kept) => isNamed(flag, kept)),
    ),
    ...contact(order, patch),
  };
  const problems = problemsOf(order, edited, patch, settings);
  if (problems.length > 0) return { kind: "invalid", problems };
  return { kind: "edited", order: { ...edited, placed: placedBefore(order, edited) } };
}

/** Whether an id or a code names a flag. */
const isNamed = (flag: Attention, name: string): boolean =>
  name === flag.code || name === flagId(flag);

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
): Problem[] {
  const problems: Problem[] = [];
  for (const [position, kept] of attention.entries()) {
    if (before.attention.some((flag) => isNamed(flag, kept))) continue;
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
    const { problem } = readAddress(after.addresses[kind]);
    if (problem === undefined || isDeepStrictEqual(before.addresses[kind], after.addresses[kind]))
      continue;
    problems.push({ ...problem, path: `addresses.${kind}.${problem.path}` });
  }
  if (problems.some(({ path }) => path.startsWith("addresses."))) return problems;
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
  const [from, to] = [before.addresses.billing, after.addresses.billing];
  const member = from.country === to.country ? "state" : "country";
  if (
    after.tax_id !== null &&
    from[member] !== to[member] &&
    taxIdProblem(after.tax_id, to) !== undefined
  ) {
    problems.push({
      path: `addresses.billing.${member}`,
      message: `The order's tax number is not valid in this ${member}.`,
    });
  }
  return problems;
}

/** Why an order cannot be cancelled on the terms of the patch. */
export function cancellationProblems(
  record: OrderRecord,
  { status, requested_by, keep_amount = 0, reason }: OrderPatch,
): { path: string; message: string }[] {
  if (status !== "cancelled") {
    const terms = { requested_by, keep_amount: keep_amount || undefined, reason };
    return Object.entries(terms).flatMap(([path, value]) =>
      value === undefined
        ? []
        : { path, message: `The ${words(path)} field needs the status cancelled.` },
    );
  }
  if (keep_amount === 0) return [];
  const most = mostToKeep(record);
  const problems: { path: string; message: string }[] = [];
  if (requested_by !== "buyer") {
    const message = "Only an order that its buyer wants cancelled can keep an amount.";
    problems.push({ path: "requested_by", message });
  }
  if (keep_amount > most) {
    const amount = writtenAmount(most, record.order.currency, "en");
    const message = `At most the paid deposit can be kept: ${amount}.`;
    problems.push({ path: "keep_amount", message });
  }
  if (reason === undefined) {
    const message = "The reason field is required to keep an amount.";
    problems.push({ path: "reason", message });
  }
  return problems;
}

const words = (path: string) => path.replaceAll("_", " ");
