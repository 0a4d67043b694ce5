import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { becauseOf } from "#shared/runtime/cause.ts";
import type { MessageKey } from "#shared/domain/inbox/message.ts";
import type { MessageMedia } from "#shared/domain/inbox/message-media.ts";
import { fileKey, settleFile } from "#shared/storage/inbox/message-files.ts";
import { Messages } from "#shared/storage/inbox/inbox.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { unlessRefused } from "#shared/storage/writes.ts";
import { InboxFile } from "../queue-messages.ts";
import { checkedFile } from "./checked-file.ts";
import type { Deps } from "./deps.ts";

/**
 * Fetches customers' files from WhatsApp and stores those that can be shown; removes the files of messages that must no
 * longer keep them. Safe to repeat: the message's row determines the action, and a file is always stored under the same
 * key.
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  const failed: string[] = [];
  // The messages are processed one after the other, because each picture may need much of the memory.
  for (const record of Records) {
    if (!(await becauseOf(record, () => follow(record, deps)))) failed.push(record.messageId);
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** @returns whether the message is done. If not, the queue delivers it again */
async function follow({ messageId, body }: SQSRecord, deps: Deps): Promise<boolean> {
  try {
    await followRow(InboxFile.parse(JSON.parse(body)), deps);
    return true;
  } catch (error) {
    // The log gets only the error's name, because a message may contain what the customer wrote.
    const reason = error instanceof Error ? error.name : "unknown";
    deps.log.warn("WhatsApp file not processed: the queue retries it", {
      queue_message: messageId,
      reason,
    });
    return false;
  }
}

async function followRow(key: MessageKey, deps: Deps): Promise<void> {
  const message = await deps.table.get(Messages, key);
  const status = message?.media?.status;
  if (message?.media && status === "pending") await fetchInto(message, message.media, deps);
  else if (!message || status === "removed") await deps.files.remove(fileKey(key));
}

async function fetchInto(key: MessageKey, media: MessageMedia, deps: Deps): Promise<void> {
  const account = await deps.account();
  if (!account) throw new Unavailable("WhatsApp is switched off or not set up");
  const fetched = await deps.fetchFile(account, media.id);
  const file = fetched.kind === "refused" ? fetched : await checkedFile(fetched);
  if (file.kind === "checked") {
    await deps.files.put(fileKey(key), file.bytes, file.content_type);
  }
  const [known, outcome] =
    file.kind === "checked"
      ? [{ ...media, content_type: file.content_type }, { status: "ready" } as const]
      : [media, { status: "rejected", reason: file.reason } as const];
  const stored = await unlessRefused(deps.table.write(settleFile(key, known, outcome)));
  // The row has changed: another delivery was faster, or the customer was erased. If the customer was erased,
  // `followRow` deletes the file that was just stored.
  if (!stored) await followRow(key, deps);
}
