import { QuickReply } from "../../domain/inbox/quick-reply.ts";
import { entity } from "../entity.ts";

export const quickReplyPartition = "QUICKREPLIES";

/** All in one partition: a shop has dozens. */
export const QuickReplies = entity({
  name: "quick_reply",
  notExported: "internal",
  schema: QuickReply,
  key: ({ id }: { id: string }) => ({ pk: quickReplyPartition, sk: id }),
});
