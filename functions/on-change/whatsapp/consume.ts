import { mediaUrl } from "#shared/domain/upload/media.ts";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { Message } from "#shared/domain/inbox/message.ts";
import { writtenPlace } from "#shared/messaging/message-place.ts";
import type { Outgoing } from "#shared/messaging/whatsapp.ts";
import { Conversations } from "#shared/storage/inbox/inbox.ts";
import { MessageToSend } from "../message-to-send.ts";
import { workInGroups } from "../work-in-groups.ts";
import type { Deps } from "./deps.ts";

/** After this many attempts the message would be out of context. */
const mostAttempts = 12;

/**
 * Sends staff messages, a conversation's in order. A worker claims a message, and one that is no longer queued is
 * not sent again, however often it is delivered. WhatsApp has no idempotency keys: if a response is lost, the status
 * webhook that follows names the message and ends its waiting. Only a crash or a timeout without a status before the
 * next attempt sends a message twice; marking first would lose it instead.
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  return workInGroups(Records, (record) => deliver(record, deps));
}

/** @returns whether the message is done; otherwise it is retried */
async function deliver(record: SQSRecord, deps: Deps): Promise<boolean> {
  try {
    const place = MessageToSend.parse(JSON.parse(record.body));
    const claim = await deps.outgoing.claim(place, deps.now());
    if (claim.kind === "claimed") await send(claim.record, deps);
    return claim.kind !== "busy";
  } catch (error) {
    // Only the error's kind: messages and recipients must not be logged.
    const reason = error instanceof Error ? error.name : "unknown";
    deps.log.warn("WhatsApp message not sent yet", { queue_message: record.messageId, reason });
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
  return whatsApp.send(ours, { to: conversation.phone, said, reference: writtenPlace(message) });
}

function whatIsSent({ kind, text, template, media }: Message, deps: Deps): Outgoing["said"] {
  if (template) return { template };
  if (!media?.address || (kind !== "image" && kind !== "document")) return { text };
  const link = mediaUrl(media.address, deps.mediaBaseUrl);
  return { file: { kind, link, filename: media.filename, caption: media.caption ?? null } };
}
