import type { Shop } from "#shared/application/shop.ts";
import type { MessageMedia } from "#shared/domain/inbox/message-media.ts";
import type { MessageKey } from "#shared/domain/inbox/message.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { Messages } from "#shared/storage/inbox/inbox.ts";
import { messageFileKey, settleFile } from "#shared/storage/inbox/message-files.ts";
import { unlessRefused } from "#shared/storage/writes.ts";
import { checkedFile } from "./checked-file.ts";

type FetchMessageFileShop = Shop<"table" | "fetchWhatsAppFile" | "inboxFiles" | "whatsAppAccount">;

/**
 * Fetches the file of a customer's message and stores it if it can be shown, or removes the file if the message must no
 * longer keep it. May be repeated: the message's row determines the action, and a file is always stored under the same
 * key.
 *
 * @throws Unavailable while WhatsApp is off or does not answer
 */
export async function followMessageFile(
  key: MessageKey,
  shop: FetchMessageFileShop,
): Promise<void> {
  const message = await shop.table.get(Messages, key);
  const status = message?.media?.status;
  if (message?.media && status === "pending") await fetchInto(message, message.media, shop);
  else if (!message || status === "removed") await shop.inboxFiles.remove(messageFileKey(key));
}

async function fetchInto(
  key: MessageKey,
  media: MessageMedia,
  shop: FetchMessageFileShop,
): Promise<void> {
  const account = await shop.whatsAppAccount();
  if (!account) throw new Unavailable("WhatsApp is switched off or not set up");
  const fetched = await shop.fetchWhatsAppFile(account, media.id);
  const file = fetched.kind === "refused" ? fetched : await checkedFile(fetched);
  if (file.kind === "checked") {
    await shop.inboxFiles.put(messageFileKey(key), file.bytes, file.content_type);
  }
  // WhatsApp's own type of the file; the stored object may have one that browsers do not open.
  const told = fetched.kind === "fetched" ? fetched.content_type : media.content_type;
  const [known, outcome] =
    file.kind === "checked"
      ? [{ ...media, content_type: told }, { status: "ready" } as const]
      : [media, { status: "rejected", reason: file.reason } as const];
  const stored = await unlessRefused(shop.table.write(settleFile(key, known, outcome)));
  // The row has changed: another delivery was faster, or the customer was erased. If the customer was erased,
  // `followMessageFile` deletes the file that was just stored.
  if (!stored) await followMessageFile(key, shop);
}
