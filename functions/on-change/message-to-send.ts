import * as z from "zod";

/**
 * Queue message with the id of a WhatsApp message to send. The consumer reads the content from the row of the WhatsApp
 * message.
 */
export const MessageToSend = z.object({ conversation_id: z.string(), id: z.string() });
export type MessageToSend = z.output<typeof MessageToSend>;
