import * as z from "zod";

/** Message with the id of a customer's message. Its row says whether its file must be fetched or removed. */
export const InboxFile = z.object({ conversation_id: z.string(), id: z.string() });
export type InboxFile = z.output<typeof InboxFile>;
