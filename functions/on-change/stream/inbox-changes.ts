import { projection } from "#shared/storage/entity.ts";
import { Messages } from "#shared/storage/inbox/inbox.ts";
import { type Image, type ItemChange, imageOf } from "#shared/storage/stream.ts";
import {
  InboxFile,
  type MergedConversation,
  MessageToSend,
  type MetricChange,
} from "#shared/queues/queue-messages.ts";

/**
 * Returns a WhatsApp message that staff have just written, so that it is sent; undefined for customers' messages and
 * for later changes.
 */
export function messageToSend({ before, after }: ItemChange): MessageToSend | undefined {
  const isQueued = before === undefined && after?.["state"] === "queued";
  return isQueued ? MessageToSend.parse(after) : undefined;
}

/**
 * Returns a message that is new or has another state; otherwise undefined. A message is deleted only where it moves to
 * another conversation, in which it still counts.
 */
export function messageInState({ before, after }: ItemChange): MetricChange | undefined {
  if (!after || before?.["state"] === after["state"]) return undefined;
  const { id, conversation_id } = after;
  return { kind: "message", id: String(id), conversation_id: String(conversation_id) };
}

/** Returns a conversation that was just merged into another. */
export function mergedConversation({ before, after }: ItemChange): MergedConversation | undefined {
  const isMerged = !before?.["merged_into"] && Boolean(after?.["merged_into"]);
  return isMerged ? { merged: String(after?.["id"]) } : undefined;
}

/** Returns the customer's message if its file is new or must be removed; otherwise undefined. */
export function inboxFile({ before, after }: ItemChange): InboxFile | undefined {
  const item = after ?? before;
  if (item?.["direction"] !== "inbound") return undefined;
  const [was, is] = [statusOfFile(before), statusOfFile(after)];
  const isNew = before === undefined && is === "pending";
  const isGone = was !== undefined && was !== "removed" && (is ?? "removed") === "removed";
  return isNew || isGone ? InboxFile.parse(item) : undefined;
}

const MessageFiles = projection(Messages, ["media"]);
const statusOfFile = (message: Image) => imageOf(MessageFiles, message)?.media?.status;
