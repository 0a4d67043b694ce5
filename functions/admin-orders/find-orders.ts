import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { type TimeRange, isInRange, rangeOfDays } from "#shared/domain/base/day.ts";
import { internationalPhone } from "#shared/domain/contact/international-phone.ts";
import { Id } from "#shared/domain/base/ids.ts";
import { Code, Sku } from "#shared/domain/base/names.ts";
import { type Sale, SalesChannel, ownSale } from "#shared/domain/base/sales-channel.ts";
import { Tag } from "#shared/domain/order/edit/edit-order.ts";
import { CouponCode } from "#shared/domain/pricing/coupon.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { type CommerceGroup, PaymentMethod } from "#shared/domain/settings/settings.ts";
import type { OrderRow } from "#shared/domain/order/view/order-row.ts";
import { searchedNameWords } from "#shared/domain/base/normalized-words.ts";
import { OrderStatus } from "#shared/domain/order/status/order-states.ts";
import { PaymentStatus } from "#shared/domain/payment/payment.ts";
import { SearchWords } from "#shared/domain/base/machine-text.ts";
import { Day, Email, Phone } from "#shared/domain/base/text.ts";
import type { ListSource } from "#functions/list-route.ts";
import { CursorPage } from "#shared/http/paging.ts";
import { anyOf, flag } from "#shared/http/query.ts";
import {
  type OrderRange,
  findByTypedNumber,
  orderPosition,
  rangeOfStatus,
  searchOrders,
} from "#shared/storage/order/order-lists.ts";
import { nameRange, searchByName } from "#shared/storage/order/order-name-search.ts";

export const OrderQuery = CursorPage.extend({
  status: anyOf(OrderStatus, "confirmed,in_production"),
  payment_status: PaymentStatus.optional(),
  payment_method: PaymentMethod.optional(),
  tag: Tag.optional(),
  sku: Sku.optional().meta({ description: "SKU of one of its lines" }),
  coupon: CouponCode.optional(),
  channel: SalesChannel.optional(),
  location: Code.optional().meta({ description: "Code of a location" }),
  sold_by: Id("stf").optional(),
  q: SearchWords(254)
    .optional()
    .meta({
      description:
        "A complete order number, email or phone number in any notation, or words (or their " +
        "beginnings) of the buyer's or recipient's name",
    }),
  from: Day.optional().meta({ description: "Placed on this day or later, in the shop's timezone" }),
  to: Day.optional().meta({ description: "Placed on this day or earlier" }),
  attention: flag.optional().meta({ description: "`true` lists only orders that need attention" }),
  sort: z.enum(["placed_at", "-placed_at"]).default("-placed_at"),
}).refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
  path: ["to"],
  message: "The to field must be a date after or equal to from.",
});
export type OrderQuery = z.output<typeof OrderQuery>;

/** Where the orders that match a query are read. */
export async function findOrders(
  { per_page: _size, cursor: _cursor, ...filters }: OrderQuery,
  shop: Shop<"table" | "settings", CommerceGroup>,
): Promise<ListSource<OrderRow>> {
  const { table } = shop;
  const bounds = await boundsOf(filters, shop);
  const oldestFirst = filters.sort === "placed_at";
  const search = { ...bounds, oldestFirst, matches: (order: OrderRow) => matches(order, filters) };
  const { q } = filters;
  const numbered = q === undefined ? undefined : await findByTypedNumber(table, q);
  if (numbered) {
    const isMeant = isInRange(numbered.placed_at, bounds) && search.matches(numbered);
    return few(isMeant ? [numbered] : []);
  }
  const range = await rangeOf(filters, shop);
  if (range.kind === "name") {
    if (oldestFirst) throw invalidField("sort", "A search by name sorts by name.");
    const { words } = range;
    if (words.length === 0) return few([]);
    const names = nameRange(words);
    return { range: names, page: (at) => searchByName(table, words, search, at) };
  }
  return {
    name: `orders ${JSON.stringify(filters)}`,
    position: orderPosition,
    page: (at) => searchOrders(table, { ...search, range }, at),
  };
}

/** All orders that can match, so few that there is one page. */
const few = (entries: readonly OrderRow[]): ListSource<OrderRow> => ({
  name: "few orders",
  entries,
  nameOf: ({ id }) => id,
});

type Filters = Omit<OrderQuery, "per_page" | "cursor">;

/** The time range of the requested days in the shop's timezone. */
async function boundsOf(
  { from, to }: Filters,
  { settings }: Shop<"settings", CommerceGroup>,
): Promise<TimeRange> {
  if (from === undefined && to === undefined) return { from: null, until: null };
  return rangeOfDays({ from, to }, (await settings.current()).store.timezone);
}

/** The filters that are members of an order under the same name. */
const sameMembers = [
  "payment_status",
  "payment_method",
] as const satisfies readonly (keyof Filters & keyof OrderRow)[];
const ofSale = ["channel", "location", "sold_by"] as const satisfies readonly (keyof Sale)[];

const matches = (order: OrderRow, filters: Filters): boolean => {
  const { status, tag, sku, coupon, attention } = filters;
  const { skus, sale = ownSale } = order.listed;
  return (
    (status?.includes(order.status) ?? true) &&
    sameMembers.every((name) => (filters[name] ?? order[name]) === order[name]) &&
    ofSale.every((name) => (filters[name] ?? sale[name]) === sale[name]) &&
    (tag === undefined || order.tags.includes(tag)) &&
    (sku === undefined || skus.includes(sku)) &&
    (coupon ?? order.coupon_code) === order.coupon_code &&
    (!attention || order.attention.length > 0)
  );
};

/** The range that answers the query with the fewest reads. */
async function rangeOf(
  { q, attention, status }: Filters,
  shop: Shop<"settings", CommerceGroup>,
): Promise<OrderRange | Names> {
  if (q !== undefined)
    return (await buyerNamed(q, shop)) ?? { kind: "name", words: searchedNameWords(q) };
  return attention
    ? { kind: "to_see" }
    : rangeOfStatus(status?.length === 1 ? status[0] : undefined);
}

/** A search by words of names; without words it matches nothing. */
interface Names {
  readonly kind: "name";
  readonly words: readonly string[];
}

/** The buyer key of an email or phone; undefined if the query is neither. */
async function buyerNamed(
  q: string,
  { settings }: Shop<"settings", CommerceGroup>,
): Promise<OrderRange | undefined> {
  const email = Email.safeParse(q);
  if (email.success) return { kind: "buyer", buyer: `email#${email.data}` };
  const phone = Phone.safeParse(q);
  if (!phone.success) return undefined;
  const { country } = (await settings.current()).store;
  return { kind: "buyer", buyer: `phone#${internationalPhone(phone.data, country)}` };
}
