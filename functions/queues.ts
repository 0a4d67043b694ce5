export interface QueueShape {
  /**
   * Whether the queue is FIFO: it keeps the order of messages, and delivers a group's next message only after the
   * previous one is done.
   */
  readonly fifo: boolean;
  /** For a FIFO queue with many groups: enables high throughput of thousands of messages a second. */
  readonly manyGroups?: boolean;
  /** Attempts before a message moves to the dead-letter queue. */
  readonly attempts: number;
}

/** The queues; each has a dead-letter queue. */
export const queues = {
  // A change that always fails blocks its index for attempts × (timeout + 5 s): at most three and a half minutes.
  "catalog-index": { fifo: true, attempts: 6 },
  "staff-index": { fifo: true, attempts: 6 },
  // Pauses between attempts grow to a quarter of an hour, so 100 attempts take most of a day. A mail server may be down
  // that long.
  outbox: { fifo: false, attempts: 100 },
  media: { fifo: false, attempts: 5 },
  "media-uses": { fifo: true, manyGroups: true, attempts: 20 },
  // The consumer marks a message as failed before the queue gives up on it.
  whatsapp: { fifo: true, manyGroups: true, attempts: 40 },
  // WhatsApp keeps a file for 30 days, and pauses between attempts last minutes, so many attempts are useful.
  "inbox-files": { fifo: false, attempts: 100 },
  // Each attempt continues where the previous one stopped.
  exports: { fifo: false, attempts: 5 },
  // A change in the dead-letter queue is missing from the metrics, so the retries must outlast an outage of the table.
  metrics: { fifo: false, attempts: 100 },
  // An order in the dead-letter queue cannot be found by its buyer's name.
  "order-names": { fifo: false, attempts: 100 },
  // An order in the dead-letter queue has no PDF, and lacks its credit notes and vouchers.
  documents: { fifo: false, attempts: 100 },
  // An address in the dead-letter queue is not blocked: it is mailed again, and bounces again.
  "mail-events": { fifo: false, attempts: 20 },
  // An erased customer whose id is in the dead-letter queue would come back with a restored table.
  "erased-ids": { fifo: false, attempts: 100 },
  // A consent in the dead-letter queue is not followed: nobody is subscribed, or somebody stays subscribed.
  marketing: { fifo: false, attempts: 100 },
} as const satisfies Record<string, QueueShape>;
export type QueueName = keyof typeof queues;
