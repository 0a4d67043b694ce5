import * as z from "zod";

/**
 * Queue message with the id of a customer's WhatsApp message. The row of that WhatsApp message says whether its file
 * must be fetched or removed.
 */
export const InboxFile = z.object({ conversation_id: z.string(), id: z.string() });
export type InboxFile = z.output<typeof InboxFile>;
