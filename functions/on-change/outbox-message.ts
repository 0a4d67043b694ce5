import * as z from "zod";

/** Names an event of the outbox. What it says is read from its row, so that nothing secret lies in a queue. */
export const OutboxMessage = z.object({ id: z.string() });
export type OutboxMessage = z.output<typeof OutboxMessage>;
