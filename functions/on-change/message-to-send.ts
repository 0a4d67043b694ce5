import * as z from "zod";

/** Names a message that waits to be sent. What it says is read from its row. */
export const MessageToSend = z.object({ conversation_id: z.string(), id: z.string() });
export type MessageToSend = z.output<typeof MessageToSend>;
