import * as z from "zod";

/**
 * Message with the id of an outbox event. The consumer reads the event from its row, so that queues contain no secrets.
 */
export const OutboxMessage = z.object({ id: z.string() });
export type OutboxMessage = z.output<typeof OutboxMessage>;
