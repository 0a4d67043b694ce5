import { type Consumer, consumers } from "#functions/consumers.ts";
import type { QueueName } from "#functions/queues.ts";

/** What follows a change: the work of one consumer or schedule. */
const consumerOf = {
  "catalog-index": "on-change-catalog-index",
  "staff-index": "on-change-staff-index",
  mail: "on-change-outbox",
  media: "on-change-media",
  "media-uses": "on-change-media-uses",
  whatsapp: "on-change-whatsapp",
  "inbox-files": "on-change-inbox-files",
  metrics: "on-change-metrics",
  "order-names": "on-change-order-names",
  documents: "on-change-documents",
  "mail-events": "on-change-mail-events",
  "erased-ids": "on-change-erased-ids",
  marketing: "on-change-marketing",
  exports: "on-change-exports",
  "due-orders": "on-schedule-due-orders",
  "marketing-timers": "on-schedule-marketing",
  "outbox-sweep": "on-schedule-outbox-sweep",
  feeds: "on-schedule-feeds",
  "token-keys": "on-schedule-token-keys",
} as const;
export type Effect = keyof typeof consumerOf;

export const everyEffect = Object.keys(consumerOf) as Effect[];

/** Effects that others need: a mail about an order waits for the document that it carries. */
const needs: Partial<Record<Effect, readonly Effect[]>> = { mail: ["documents"] };

const declared = new Set<Effect>();

/** An effect that `npm run effects` takes away, to find the files that declare it without need. */
const withheld = process.env["WITHOUT_EFFECT"];

/** Declares effects that the current test file awaits. */
export function declareEffects(effects: readonly Effect[]): void {
  for (const effect of effects) declared.add(effect);
}

/** Declares effects that the current test file awaits, and returns the consumers that bring them. */
export function consumersOf(effects: readonly Effect[]): Consumer[] {
  declareEffects(effects);
  const names = new Set<string>(
    effects
      .flatMap((effect) => [effect, ...(needs[effect] ?? [])])
      .filter((effect) => effect !== withheld)
      .map((effect) => consumerOf[effect]),
  );
  const chosen = consumers.filter(({ name }) => names.has(name));
  const streams = consumers.filter(
    ({ source, permissions }) =>
      source.kind === "stream" && chosen.some((each) => isFed(each, permissions.queues ?? [])),
  );
  return [...streams, ...chosen];
}

const isFed = ({ source }: Consumer, queues: readonly QueueName[]): boolean =>
  source.kind === "queue" && queues.includes(source.queue);

/** Forgets the declarations of the previous test file. */
export function forgetEffects(): void {
  declared.clear();
}

/**
 * Every wait for an effect, and every helper that reads one, calls this first. Otherwise a wait would hang, and "no
 * mail was sent" would pass because nobody was there to send it.
 *
 * @throws Error if the test file does not declare the effect
 */
export function awaits(effect: Effect): void {
  if (!declared.has(effect)) {
    throw new Error(`Add "${effect}" to the effects that this test file declares.`);
  }
}

/** Whether the effect has been taken away, so that a wait for it cannot succeed. */
export const isWithheld = (effect: Effect): boolean => effect === withheld;
