import * as z from "zod";
import { Id } from "../../domain/base/ids.ts";
import { type Day, Timestamp } from "../../domain/base/text.ts";
import type { CalendarRows } from "../../domain/delivery/slot-calendar.ts";
import { DeliveryDay, PlaceCount, liveHolds } from "../../domain/delivery/place-count.ts";
import { DeliverySlot, type Place, isSamePlace } from "../../domain/delivery/delivery-slot.ts";
import { type SlotHold, isLive } from "../../domain/delivery/slot-hold.ts";
import { above, atLeast, is, isNew, present } from "../conditions.ts";
import { type Readable, entity } from "../entity.ts";
import type { OrderReturn } from "../../domain/order/returns/order-return.ts";
import type { CallerHash } from "../order/order-openings.ts";
import type { KeyRange } from "../pages.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, check, put, remove, update } from "../writes.ts";

/** What staff have changed for a day of a zone. */
export const DeliveryDays = entity({
  name: "delivery_day",
  notExported: "few",
  schema: DeliveryDay,
  key: ({ zone, date }: Pick<Place, "zone" | "date">) => ({
    pk: `DELIVERYDAYS#${zone}`,
    sk: date,
  }),
});

/** The bookings and holds of one window on one day of a zone. */
export const PlaceCounts = entity({
  name: "place_count",
  notExported: "derived",
  schema: PlaceCount,
  key: ({ zone, date, window }: Place) => ({
    pk: `PLACES#${zone}`,
    sk: `${date}#${window}`,
  }),
});

/** The orders that are to be delivered on a day, and the returns to be collected or sent back, by zone and window. */
export const PlannedDeliveries = entity({
  name: "planned_delivery",
  notExported: "derived",
  schema: z.object({
    order_id: Id("ord"),
    /** The return that is collected or sent back; null for a delivery. */
    return_id: Id("ret").nullable().default(null),
    ...DeliverySlot.pick({ zone: true, window: true }).shape,
  }),
  /** Visits are listed by the start of their window. */
  key: ({ zone, date, from, window, order_id, return_id }: PlannedDelivery) => ({
    pk: `DELIVERIES#${date}`,
    sk: `${zone}#${from}#${window}#${return_id ?? order_id}`,
  }),
  patterns: { table: [["DELIVERIES#<date>", "<zone>#<from>#<window>#<order_id or return_id>"]] },
});

type PlannedDelivery = Place &
  Pick<DeliverySlot, "from"> & { readonly order_id: string; readonly return_id?: string | null };

export const putPlannedDelivery = (delivery: PlannedDelivery): Write =>
  put(PlannedDeliveries, delivery);

export const unplanDelivery = (delivery: PlannedDelivery): Write =>
  remove(PlannedDeliveries, delivery);

/** Plans the visits that collect a return and bring goods back, and frees the places of those that are not made. */
export const returnVisitWrites = (before: OrderReturn, after: OrderReturn): Write[] => [
  ...visitWrites(after, {
    was: awaitedPickup(before),
    will: awaitedPickup(after),
    isMade: after.status === "received",
  }),
  ...visitWrites(after, {
    was: awaitedSendBack(before),
    will: awaitedSendBack(after),
    isMade: after.sent_back_at !== null,
  }),
];

const awaitedPickup = ({ status, pickup }: OrderReturn) =>
  status === "pickup_scheduled" ? pickup : null;
const awaitedSendBack = ({ send_back, sent_back_at }: OrderReturn) =>
  sent_back_at === null ? send_back : null;

interface PlannedVisit {
  readonly was: DeliverySlot | null;
  readonly will: DeliverySlot | null;
  /** Whether the visit took place, so that its place stays used. */
  readonly isMade: boolean;
}

function visitWrites(
  { id: return_id, order_id }: OrderReturn,
  { was, will, isMade }: PlannedVisit,
): Write[] {
  if (was && will && isSamePlace(was, will)) return [];
  const visit = { order_id, return_id };
  return [
    ...(was && !isMade ? [unbook(was), unplanDelivery({ ...was, ...visit })] : []),
    ...(will ? [putPlannedDelivery({ ...will, ...visit })] : []),
  ];
}

const HeldPlace = DeliverySlot.pick({ zone: true, date: true, window: true }).extend({
  until: Timestamp,
});

/** The places that carts from one IP address have held. */
export const CallerHolds = entity({
  name: "caller_holds",
  notExported: "derived",
  schema: z.object({
    /** By holder. An entry stays until its hold's end, even if the hold was booked or released. */
    holds: z.record(z.string(), HeldPlace),
    version: z.int().min(1),
  }),
  key: ({ caller }: { caller: CallerHash }) => ({ pk: `PLACEHOLDS#${caller}`, sk: "HOLDS" }),
  patterns: { table: [["PLACEHOLDS#<hash of the caller>", "HOLDS"]] },
  ttl: ({ holds }) =>
    Math.ceil(Math.max(0, ...Object.values(holds).map(({ until }) => Date.parse(until))) / 1000),
});
export type CallerHolds = z.output<typeof CallerHolds.schema>;

/** The ends of the holds that still take a place: those that have not expired, and were not booked or released. */
export async function endsOfHolds(
  table: Pick<Table, "getMany">,
  holds: CallerHolds["holds"],
  now: Date,
): Promise<Timestamp[]> {
  const held = Object.entries(holds);
  const { counts } = await table.getMany({
    counts: held.map(([, place]) => at(PlaceCounts, place)),
  });
  return held.flatMap(([holder, { until }], position) => {
    const live = liveHolds(counts[position], now);
    return live.some(([other]) => other === holder) ? until : [];
  });
}

/** The rows of a zone's days, both bounds included. */
export async function readDays(
  table: Pick<Table, "page">,
  zone: string,
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<CalendarRows> {
  const [days, counts] = await Promise.all([
    allIn(table, DeliveryDays, { partition: `DELIVERYDAYS#${zone}`, between: [from, to] }),
    // `~` sorts behind every code of a window.
    allIn(table, PlaceCounts, { partition: `PLACES#${zone}`, between: [from, `${to}#~`] }),
  ]);
  return { days, counts };
}

async function allIn<Schema extends z.ZodObject, Id>(
  table: Pick<Table, "page">,
  of: Readable<Schema, Id>,
  range: KeyRange,
): Promise<z.output<Schema>[]> {
  return (await table.page(of, range)).records;
}

/** A window on a day, as it was read. */
export interface ReadPlace {
  readonly day: DeliveryDay | undefined;
  readonly count: PlaceCount | undefined;
}

export async function readPlace(table: Pick<Table, "getMany">, place: Place): Promise<ReadPlace> {
  const { days, counts } = await table.getMany({
    days: [at(DeliveryDays, place)],
    counts: [at(PlaceCounts, place)],
  });
  return { day: days[0], count: counts[0] };
}

/** Stores a count, if it is unchanged since `before` was read. */
export const putCount = (count: PlaceCount, before: PlaceCount | undefined): Write =>
  put(PlaceCounts, count, before ? is("version", before.version) : isNew);

/** Refuses its transaction if staff have changed the day since it was read. */
export const dayUnchanged = ({ zone, date }: Place, before: DeliveryDay | undefined): Write =>
  check(DeliveryDays, { zone, date }, before ? is("version", before.version) : isNew);

/**
 * Releases the place of a cart's hold, unless the hold has ended or the cart goes on holding the place.
 *
 * @param next the place that the cart holds from now on; null if it holds none
 */
export function releaseWrites(before: SlotHold | null, next: Place | null, now: Date): Write[] {
  if (!before || !isLive(before, now)) return [];
  if (next && isSamePlace(before.slot, next)) return [];
  return [releaseHold(before.slot, before.holder)];
}

/** A hold that has already been removed is no error. */
const releaseHold = ({ zone, date, window }: Place, holder: string): Write =>
  update(
    PlaceCounts,
    { zone, date, window },
    { remove: [`holds.${holder}`], add: { version: 1 } },
    present("pk"),
  );

/** Turns a hold into a booking. The write is refused if the hold has ended or was released. */
export const bookHeld = ({ zone, date, window }: Place, holder: string, now: Date): Write =>
  update(
    PlaceCounts,
    { zone, date, window },
    { remove: [`holds.${holder}`], add: { booked: 1, version: 1 } },
    above(`holds.${holder}`, now.toISOString()),
  );

/** Frees the place of an order. */
export const unbook = ({ zone, date, window }: Place): Write =>
  update(
    PlaceCounts,
    { zone, date, window },
    { add: { booked: -1, version: 1 } },
    atLeast("booked", 1),
  );

/** Stores the holds of an IP address, if they are unchanged since `before` was read. */
export const putCallerHolds = (
  caller: CallerHash,
  holds: CallerHolds["holds"],
  before: CallerHolds | undefined,
): Write =>
  put(
    CallerHolds,
    { ...before, caller, holds, version: (before?.version ?? 0) + 1 },
    before ? is("version", before.version) : isNew,
  );
