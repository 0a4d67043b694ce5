import type { Shop } from "#shared/application/shop.ts";
import type { MailBlock } from "#shared/domain/customer/mail-block.ts";
import { blockMail } from "#shared/storage/customer/mail-blocks.ts";

/** Stops mail to addresses to which it bounced permanently, or whose owner complained. May be repeated. */
export async function blockAddresses(
  { reason, emails }: { readonly reason: MailBlock["reason"]; readonly emails: readonly string[] },
  { table, log, now }: Shop<"table" | "log" | "now">,
): Promise<void> {
  const at = now().toISOString();
  for (const email of emails) await table.write(blockMail({ email, reason, at }));
  if (emails.length > 0) log.warn("Address blocked for mail", { reason, count: emails.length });
}
