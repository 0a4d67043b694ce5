export interface QueueShape {
  /** Keeps order, and hands out a group's next message only when the one before is dealt with. */
  readonly fifo: boolean;
  /** Of one that keeps order: whether its groups are many, so that SQS may take thousands of messages a second. */
  readonly manyGroups?: boolean;
  /** How often a message may fail before it is put aside for a person to look at. */
  readonly attempts: number;
}

/** What waits for a consumer; each has a dead letter queue beside it. */
export const queues = {
  // A change that always fails holds up its view for attempts × (timeout + 5 s): three and a half minutes at most.
  "catalog-view": { fifo: true, attempts: 6 },
  "staff-view": { fifo: true, attempts: 6 },
  // Their pauses grow to a quarter of an hour: a mail server may be away for a day.
  outbox: { fifo: false, attempts: 100 },
  media: { fifo: false, attempts: 5 },
  "media-uses": { fifo: true, manyGroups: true, attempts: 20 },
  // Whoever sends gives a message up by itself before that.
  whatsapp: { fifo: true, manyGroups: true, attempts: 40 },
  // WhatsApp keeps a file for 30 days; each attempt waits minutes for the next.
  "inbox-files": { fifo: false, attempts: 100 },
  // Each attempt goes on where the one before stopped.
  exports: { fifo: false, attempts: 5 },
  // What was not counted stays missing, so that an outage of the table may last.
  metrics: { fifo: false, attempts: 100 },
  // An order that was left out would never be found by its buyer's name.
  "order-names": { fifo: false, attempts: 100 },
} as const satisfies Record<string, QueueShape>;
export type QueueName = keyof typeof queues;
