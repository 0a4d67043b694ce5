import * as z from "zod";

/** Names a customer's message whose file is to be fetched or removed; its row says which. */
export const InboxFile = z.object({ conversation_id: z.string(), id: z.string() });
export type InboxFile = z.output<typeof InboxFile>;
