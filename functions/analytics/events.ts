import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { limitQueries } from "#shared/application/metrics/limit-queries.ts";
import {
  AnalyticsEvent,
  type StoredEvent,
  isRecent,
  notRecent,
  storedEvent,
} from "#shared/domain/metrics/analytics-event.ts";
import { AppError, type FieldErrors, invalidField } from "#shared/domain/request/app-error.ts";
import { anyone, route } from "#shared/http/route.ts";
import { parsed } from "#shared/domain/request/validation.ts";
import { findStored, storeEvents } from "#shared/storage/metrics/analytics-events.ts";

const mostEvents = 50;

const SentEvents = z
  .union([
    AnalyticsEvent,
    z.strictObject({
      events: z.array(z.unknown()).min(1).max(mostEvents).meta({
        description:
          "Each element is validated separately, by the rules for an event that is sent alone",
      }),
    }),
  ])
  .meta({ example: { events: [AnalyticsEvent.meta()?.["example"]] } });
type SentEvents = z.output<typeof SentEvents>;

const Receipt = z.object({
  accepted: z.int().meta({ description: "Events accepted for the first time" }),
  duplicates: z.int().meta({
    description:
      "Events with the session and id of an event that was recorded before or is also in this " +
      "request; metrics count each event once",
  }),
  rejected: z.array(
    z.object({
      index: z.int().meta({ description: "Index in `events`, from 0" }),
      errors: z.record(z.string(), z.array(z.string())),
    }),
  ),
});

export const recordEvents = route({
  method: "POST",
  path: "/analytics/events",
  summary: "Record visitor events",
  description:
    "Accepts one event, or up to 50 in `events`. An invalid event in `events` is rejected and " +
    "the others are accepted. An invalid event without `events` returns 422. Sending an event " +
    "again with the same session and id is safe: metrics count it once.",
  access: anyone,
  limit: "analytics",
  request: { body: SentEvents },
  response: { status: 202, data: Receipt },
  first: ({ body, now }, shop: Shop<"table" | "rates" | "settings", "store">) =>
    sort(body, now, shop),
  async handle({ first: { fresh, ...counts }, ip, now }, { table, rates }) {
    await storeEvents(table, await limitQueries(fresh, { ip, now }, rates));
    return { data: { accepted: fresh.length, ...counts } };
  },
});

interface Sorted {
  /** Events that are not stored yet, without duplicates. */
  readonly fresh: readonly StoredEvent[];
  readonly duplicates: number;
  readonly rejected: z.output<typeof Receipt>["rejected"];
}

async function sort(
  body: SentEvents,
  now: Date,
  { table, settings }: Shop<"table" | "settings", "store">,
): Promise<Sorted> {
  const sent =
    "events" in body ? body.events.map((event) => judged(event, now)) : [single(body, now)];
  const rejected = sent.flatMap(({ errors }, index) => (errors ? [{ index, errors }] : []));
  const good = sent.flatMap(({ event }) => event ?? []);
  const distinct = [...new Map(good.map((event) => [idOf(event), event])).values()];
  const [{ store }, known] = await Promise.all([settings.current(), findStored(table, distinct)]);
  const fresh = distinct
    .filter((_event, position) => !known[position])
    .map((event) => storedEvent(event, { now, timezone: store.timezone }));
  return { fresh, duplicates: good.length - fresh.length, rejected };
}

const idOf = ({ session_id, event_id }: AnalyticsEvent) => `${session_id}#${event_id}`;

interface Judged {
  readonly event?: AnalyticsEvent;
  readonly errors?: FieldErrors;
}

function judged(sent: unknown, now: Date): Judged {
  try {
    return single(parsed(AnalyticsEvent, sent), now);
  } catch (error) {
    if (error instanceof AppError && error.refusal.errors) return { errors: error.refusal.errors };
    throw error;
  }
}

/** @throws AppError `validation_failed` when `occurred_at` is too old or in the future */
function single(event: AnalyticsEvent, now: Date): Judged {
  if (!isRecent(event.occurred_at, now)) throw invalidField("occurred_at", notRecent);
  return { event };
}

export const routes = [recordEvents];
