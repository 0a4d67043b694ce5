import { QuickReply } from "../../domain/inbox/quick-reply.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, put, remove } from "../writes.ts";

export const quickReplyPartition = "QUICKREPLIES";

/** All in one partition: a shop has dozens. */
export const QuickReplies = entity({
  name: "quick_reply",
  schema: QuickReply,
  key: ({ id }: { id: string }) => ({ pk: quickReplyPartition, sk: id }),
});

/** @param before undefined for a new quick reply. Refused if it has changed since it was read */
export const saveQuickReply = (before: QuickReply | undefined, after: QuickReply): Write =>
  put(QuickReplies, after, before ? is("version", before.version) : isNew);

/** Refused if it has changed since it was read. */
export const dropQuickReply = ({ id, version }: QuickReply): Write =>
  remove(QuickReplies, { id }, is("version", version));
