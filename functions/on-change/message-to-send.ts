import * as z from "zod";

/** Message with the id of a WhatsApp message to send. The consumer reads its content from its row. */
export const MessageToSend = z.object({ conversation_id: z.string(), id: z.string() });
export type MessageToSend = z.output<typeof MessageToSend>;
