import * as z from "zod";

/** Names an outbox event. The consumer reads its content from its row, so that queues contain no secrets. */
export const OutboxMessage = z.object({ id: z.string() });
export type OutboxMessage = z.output<typeof OutboxMessage>;
