import * as z from "zod";

/** Names a queued message. The consumer reads its content from its row. */
export const MessageToSend = z.object({ conversation_id: z.string(), id: z.string() });
export type MessageToSend = z.output<typeof MessageToSend>;
