import { type MailBlock, MailBlock as MailBlockSchema } from "../../domain/customer/mail-block.ts";
import { entity } from "../entity.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

/** Email addresses to which no mail is sent any more. */
export const MailBlocks = entity({
  name: "mail_block",
  notExported: "personal",
  schema: MailBlockSchema,
  key: ({ email }: { email: string }) => ({ pk: `MAILBLOCK#${email}`, sk: "MAILBLOCK" }),
});

export const blockMail = (block: MailBlock): Write => put(MailBlocks, block);

/** Lifts a block. Also succeeds if there is none. */
export const unblockMail = (email: string): Write => remove(MailBlocks, { email });

/** The blocks of these addresses, in their order; undefined for addresses that may be mailed. */
export async function findMailBlocks(
  table: Table,
  emails: readonly string[],
): Promise<(MailBlock | undefined)[]> {
  const { blocks } = await table.getMany({
    blocks: emails.map((email) => at(MailBlocks, { email: email.toLowerCase() })),
  });
  return blocks;
}
