import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { Message } from "#shared/domain/inbox/message.ts";
import { writtenPlace } from "#shared/messaging/message-place.ts";
import type { Outgoing } from "#shared/messaging/whatsapp.ts";
import { Conversations } from "#shared/storage/inbox/inbox.ts";
import { MessageToSend } from "../message-to-send.ts";
import { workInGroups } from "../work-in-groups.ts";
import type { Deps } from "./deps.ts";

/** After so many the customer would no longer know what it is about. */
const mostAttempts = 12;

/**
 * Sends what staff wrote, a conversation's messages in their order: whoever claims a message sends it, and one that
 * is no longer queued is sent no more, however often its own is delivered. WhatsApp knows no repeats; an answer that
 * was lost is made good by the status that follows, which names the message and ends its waiting. Only a crash, or
 * silence, with no status before the next attempt sends a message a second time; marking first would lose it instead.
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  return workInGroups(Records, (record) => deliver(record, deps));
}

/** @returns whether the message has done its duty; else it comes back */
async function deliver(record: SQSRecord, deps: Deps): Promise<boolean> {
  try {
    const place = MessageToSend.parse(JSON.parse(record.body));
    const claim = await deps.outgoing.claim(place, deps.now());
    if (claim.kind === "claimed") await send(claim.message, deps);
    return claim.kind !== "busy";
  } catch (error) {
    // The kind alone: what is sent, and to whom, is nobody's to read in a log.
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
  const link = media.address.replace("media:/", deps.mediaBaseUrl);
  return { file: { kind, link, filename: media.filename, caption: media.caption ?? null } };
}
