import type { Shop } from "#shared/application/shop.ts";
import { openOutgoingMessages } from "#shared/storage/inbox/outgoing-messages.ts";
import type { Message, MessageKey } from "#shared/domain/inbox/message.ts";
import type { WhatsAppPerson } from "#shared/domain/inbox/whatsapp-number.ts";
import { mediaUrl } from "#shared/domain/upload/media.ts";
import { formatMessageReference } from "#shared/messaging/message-reference.ts";
import type { Outgoing, Recipient } from "#shared/messaging/whatsapp.ts";
import { readConversation } from "#shared/storage/inbox/inbox.ts";

type SendMessageShop = Shop<"table" | "mediaBaseUrl" | "now" | "whatsApp" | "whatsAppAccount">;

/** After this many attempts, the message would arrive too late to be useful. */
const mostAttempts = 12;

/**
 * Sends a WhatsApp message of staff, unless another worker has claimed it or it is not `queued` any more.
 *
 * @returns false while another worker holds the message
 * @throws Error if it could not be sent and another attempt may help
 */
export async function sendMessage(key: MessageKey, shop: SendMessageShop): Promise<boolean> {
  const claim = await openOutgoingMessages(shop.table).claim(key, shop.now());
  if (claim.kind === "claimed") await send(claim.record, shop);
  return claim.kind !== "busy";
}

async function send(message: Message, shop: SendMessageShop): Promise<void> {
  const { table, now } = shop;
  try {
    const outcome = await handOver(message, shop);
    if (outcome.kind === "sent")
      await openOutgoingMessages(table).sent(message, outcome.whatsapp_id, now());
    else {
      const { code, message: reason } = outcome;
      await openOutgoingMessages(table).failed(message, { code, message: reason }, now());
    }
  } catch (error) {
    if (message.attempts < mostAttempts) {
      await openOutgoingMessages(table).release(message);
      throw error;
    }
    const failure = { code: "unreachable", message: "WhatsApp could not be reached in time." };
    await openOutgoingMessages(table).failed(message, failure, now());
  }
}

async function handOver(message: Message, shop: SendMessageShop) {
  const { table, whatsApp, whatsAppAccount: account } = shop;
  const [conversation, ours] = await Promise.all([
    readConversation(table, { id: message.conversation_id }),
    account(),
  ]);
  const recipient = conversation && recipientOf(conversation);
  if (!recipient || !ours) {
    return {
      kind: "refused" as const,
      code: "not_configured",
      message: "WhatsApp is switched off or not set up.",
    };
  }
  const said = whatIsSent(message, shop);
  return whatsApp.send(ours, {
    ...recipient,
    said,
    reference: formatMessageReference(message),
  });
}

function recipientOf({ phone, user_id }: WhatsAppPerson): Recipient | undefined {
  if (phone !== null) return { to: phone };
  return user_id === null ? undefined : { recipient: user_id };
}

function whatIsSent(
  { kind, text, template, media }: Message,
  shop: SendMessageShop,
): Outgoing["said"] {
  if (template) return { template };
  if (!media?.address || (kind !== "image" && kind !== "document")) return { text };
  const link = mediaUrl(media.address, shop.mediaBaseUrl);
  return { file: { kind, link, filename: media.filename, caption: media.caption ?? null } };
}
