import { hash } from "node:crypto";
import * as z from "zod";
import { OutboxEvent, expiresAt } from "../domain/base/outbox-event.ts";
import { Timestamp } from "../domain/base/text.ts";
import { MailBlockReason } from "../domain/customer/mail-block.ts";
import { currentCause } from "../runtime/cause.ts";
import { type Claim, claim, releaseClaim } from "./claims.ts";
import { is, isNew, present } from "./conditions.ts";
import { entity } from "./entity.ts";
import type { Table } from "./table.ts";
import { type Write, put, unlessRefused, update } from "./writes.ts";

/**
 * `stale`: nothing is left to announce; `refused`: SES does not accept the mail; `bounced`, `complained`: the address
 * is blocked; `withheld`: the address is unproven and had reached its daily limit of mails
 * about unpaid orders.
 */
export const GivenUpReason = z.enum(["stale", "refused", "withheld", ...MailBlockReason.options]);
export type GivenUpReason = z.output<typeof GivenUpReason>;

/**
 * An outbox event: an effect, such as a mail, that must happen after a commit. It is written in the transaction of the
 * change that causes it, and a stream consumer sends it at least once. Its id serves as the deduplication key.
 *
 * The row holds the token of a mailed link in clear text, because the mail must contain it and no other row does. The
 * token is removed once the mail is sent or given up; the row is deleted when the link expires. No queue and no log
 * contains the token.
 */
export const Outbox = entity({
  name: "outbox",
  notExported: "transient",
  schema: z.object({
    id: z.string(),
    event: OutboxEvent,
    at: Timestamp,
    /**
     * What caused the event. The attribute `cause` names only the row's last writer, which may be the schedule
     * `outbox-sweep`.
     */
    caused_by: z
      .object({ request_id: z.string().optional(), trigger: z.string().optional() })
      .default({}),
    state: z.enum(["waiting", "sent", "given_up"]),
    /** Why it was given up; null otherwise, and for rows of older releases. */
    reason: GivenUpReason.nullable().default(null),
    /** Number of attempts to send it. */
    attempts: z.int().min(0),
    /** Whether it counts among the mails that its address may get in a day, where that is limited. */
    counted: z.boolean().default(false),
    /** When the claim of a worker ends. Until then no other worker sends the event. */
    claimed_until: Timestamp.nullable(),
    settled_at: Timestamp.nullable(),
    /** When `outbox-sweep` enqueues the event again, if it is still waiting. */
    sweep_at: Timestamp,
  }),
  key: ({ id }: { id: string }) => ({ pk: `OUTBOX#${id}`, sk: "OUTBOX" }),
  indexes: {
    gsi1: ({ id, state, sweep_at }) =>
      state === "waiting" ? waitingKey({ id, sweep_at }) : undefined,
  },
  patterns: { gsi1: [["OUTBOXWAITING", "<sweep_at>#<id>"]] },
  ttl: ({ event, at }) =>
    Math.ceil(Date.parse(expiresAt(event) ?? at) / 1000) + (expiresAt(event) ? 0 : keptSeconds),
});
export type OutboxRow = z.output<typeof Outbox.schema>;

/**
 * The queue message about a row. The consumer reads the event from the row, so that queues contain no secrets.
 */
export const OutboxMessage = z.object({ id: z.string() });
export type OutboxMessage = z.output<typeof OutboxMessage>;

const waitingKey = ({ id, sweep_at }: { id: string; sweep_at: string }) => ({
  pk: "OUTBOXWAITING",
  sk: `${sweep_at}#${id}`,
});

const keptSeconds = 30 * 86_400;
/** How long an event waits until `outbox-sweep` enqueues it again: longer than a mail takes in normal operation. */
const firstSweepMs = 15 * 60_000;

/** Publishes an event in the transaction that includes this write. */
export const publishEvent = (event: OutboxEvent, now: Date): Write => rowOf(event, "waiting", now);

/**
 * Writes an event that is stored as given up, so no mail is sent. It takes as long as `publishEvent`, so the timing of
 * a response does not reveal whether a mail is sent.
 */
export const writeDecoyEvent = (event: OutboxEvent, now: Date): Write =>
  rowOf(event, "given_up", now);

function rowOf(event: OutboxEvent, state: "waiting" | "given_up", now: Date): Write {
  return put(Outbox, {
    id: outboxId(event),
    event,
    at: now.toISOString(),
    caused_by: currentCause(),
    state,
    attempts: 0,
    counted: false,
    claimed_until: null,
    settled_at: null,
    sweep_at: new Date(now.getTime() + firstSweepMs).toISOString(),
  });
}

/** The deduplication id of an event: the same for every write and delivery. It contains no secret and no address. */
export function outboxId(event: OutboxEvent): string {
  return [event.type, ...distinguishing(event)].join("#");
}

/** The id of the event `quote_sent` with the link that has this hash. */
export const quoteMailId = (linkHash: string): string => `quote_sent#${linkHash}`;

/** What distinguishes an event from others of its type. */
function distinguishing(event: OutboxEvent): (string | number)[] {
  // The hash of a quote's link: see `quoteMailId`.
  if ("token" in event) return [digest(event.token)];
  if ("about" in event) return [digest(event.to), event.about, event.at];
  if ("changed_at" in event) return [digest(event.to), event.changed_at];
  if ("lead_id" in event) return [event.lead_id];
  if ("quote_id" in event) return [event.quote_id, event.revision];
  if ("action" in event) return [event.id, event.action, event.at];
  const { order_id } = event;
  if ("shipment_id" in event) return [order_id, event.shipment_id];
  if ("return_id" in event) return [order_id, event.return_id, event.change_id ?? event.at];
  if ("transaction_id" in event) return [order_id, event.transaction_id];
  if ("change_id" in event) return [order_id, event.change_id];
  if ("method" in event) return [order_id, event.method, event.at];
  if ("code" in event) return [order_id, event.code, event.at];
  return "at" in event ? [order_id, event.at] : [order_id];
}

const digest = (text: string) => hash("sha256", text, "base64url");

export interface OutboxStore {
  /** Publishes an event that follows from another one, unless it was published before. */
  publish(event: OutboxEvent, now: Date): Promise<void>;
  /** Claims a waiting row for one minute. */
  claim(id: string, now: Date): Promise<Claim<OutboxRow>>;
  /** Releases the claim, so that the next attempt can start before the claim expires. Stores `counted`. */
  release(row: OutboxRow): Promise<void>;
  /** Marks the event as sent, or given up for a reason, and removes its secrets. `also` is written with it. */
  settle(
    row: OutboxRow,
    outcome: "sent" | GivenUpReason,
    now: Date,
    also?: readonly Write[],
  ): Promise<void>;
  /** One page of the rows that have waited too long, the oldest first. */
  listToSweep(
    now: Date,
    after?: Record<string, unknown>,
  ): Promise<{ records: OutboxRow[]; next: Record<string, unknown> | undefined }>;
  /** Postpones the next sweep of a row until the row is twice as old. */
  swept(row: OutboxRow, now: Date): Promise<void>;
}

const sweepPage = 100;

export function openOutbox(table: Table): OutboxStore {
  return {
    publish: async (event, now) =>
      void (await unlessRefused(table.write({ ...publishEvent(event, now), condition: isNew }))),
    claim: (id, now) => claim(table, Outbox, { id }, { state: "waiting", now }),
    release: (row) => releaseClaim(table, Outbox, row, { counted: row.counted }),
    async settle({ id, event }, outcome, now, also = []) {
      const isSent = outcome === "sent";
      const set = {
        state: isSent ? "sent" : "given_up",
        reason: isSent ? null : outcome,
        settled_at: now.toISOString(),
        claimed_until: null,
      };
      const blank = "token" in event ? { "event.token": "" } : {};
      const settled = update(
        Outbox,
        { id },
        { set: { ...set, ...blank }, remove: ["gsi1pk", "gsi1sk"] },
        present("pk"),
      );
      const isAlone = also.length === 0;
      await unlessRefused(isAlone ? table.write(settled) : table.transact([settled, ...also]));
    },
    listToSweep: (now, after) =>
      table.page(
        Outbox,
        { index: "gsi1", partition: "OUTBOXWAITING", between: ["0", now.toISOString()] },
        { limit: sweepPage, after },
      ),
    async swept({ id, at }, now) {
      const age = Math.max(firstSweepMs, now.getTime() - Date.parse(at));
      const sweep_at = new Date(now.getTime() + age).toISOString();
      const gsi1sk = waitingKey({ id, sweep_at }).sk;
      await unlessRefused(
        table.write(update(Outbox, { id }, { set: { sweep_at, gsi1sk } }, is("state", "waiting"))),
      );
    },
  };
}
