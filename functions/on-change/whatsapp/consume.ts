import { mediaUrl } from "#shared/domain/upload/media.ts";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { Message } from "#shared/domain/inbox/message.ts";
import { formatMessageReference } from "#shared/messaging/message-reference.ts";
import type { Outgoing } from "#shared/messaging/whatsapp.ts";
import { Conversations } from "#shared/storage/inbox/inbox.ts";
import { MessageToSend } from "../queue-messages.ts";
import { workInGroups } from "../work-in-groups.ts";
import type { Deps } from "./deps.ts";

/** After this many attempts, the message would arrive too late to be useful. */
const mostAttempts = 12;

/**
 * Sends the WhatsApp messages of staff, in order within a conversation. A worker claims a message and sends it only
 * while its state is `queued`, so a repeated delivery from the queue sends nothing. WhatsApp has no idempotency keys.
 * If WhatsApp's response is lost, the status webhook that follows changes the state. A message is sent twice only after
 * a crash or a timeout, if no status arrives before the next attempt. Marking a message as sent before sending it could
 * lose the message instead.
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  return workInGroups(Records, (record) => deliver(record, deps));
}

/** @returns whether the message is done. If not, the queue delivers it again */
async function deliver(record: SQSRecord, deps: Deps): Promise<boolean> {
  try {
    const key = MessageToSend.parse(JSON.parse(record.body));
    const claim = await deps.outgoing.claim(key, deps.now());
    if (claim.kind === "claimed") await send(claim.record, deps);
    return claim.kind !== "busy";
  } catch (error) {
    // Only the error's name is logged, because the error's message may contain the text or the recipient.
    const reason = error instanceof Error ? error.name : "unknown";
    deps.log.warn("WhatsApp message not sent: the queue retries it", {
      queue_message: record.messageId,
      reason,
    });
    return false;
  }
}

async function send(message: Message, deps: Deps): Promise<void> {
  const { outgoing, now } = deps;
  try {
    const outcome = await handOver(message, deps);
    if (outcome.kind === "sent") await outgoing.sent(message, outcome.whatsapp_id, now());
    else {
      const { code, message: reason } = outcome;
      await outgoing.failed(message, { code, message: reason }, now());
    }
  } catch (error) {
    if (message.attempts < mostAttempts) {
      await outgoing.release(message);
      throw error;
    }
    const failure = { code: "unreachable", message: "WhatsApp could not be reached in time." };
    await outgoing.failed(message, failure, now());
  }
}

async function handOver(message: Message, deps: Deps) {
  const { table, whatsApp, account } = deps;
  const [conversation, ours] = await Promise.all([
    table.get(Conversations, { id: message.conversation_id }),
    account(),
  ]);
  if (!conversation || !ours) {
    return {
      kind: "refused" as const,
      code: "not_configured",
      message: "WhatsApp is switched off or not set up.",
    };
  }
  const said = whatIsSent(message, deps);
  return whatsApp.send(ours, {
    to: conversation.phone,
    said,
    reference: formatMessageReference(message),
  });
}

function whatIsSent({ kind, text, template, media }: Message, deps: Deps): Outgoing["said"] {
  if (template) return { template };
  if (!media?.address || (kind !== "image" && kind !== "document")) return { text };
  const link = mediaUrl(media.address, deps.mediaBaseUrl);
  return { file: { kind, link, filename: media.filename, caption: media.caption ?? null } };
}
