import { QuickReply } from "../../domain/inbox/quick-reply.ts";
import { entity } from "../entity.ts";

export const quickReplyPartition = "QUICKREPLIES";

/** All quick replies share one partition, because a shop has only dozens of them. */
export const QuickReplies = entity({
  name: "quick_reply",
  notExported: "internal",
  schema: QuickReply,
  key: ({ id }: { id: string }) => ({ pk: quickReplyPartition, sk: id }),
});
