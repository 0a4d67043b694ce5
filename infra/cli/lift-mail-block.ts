import { parseArgs } from "node:util";
import { table as openTable } from "#functions/connect/table.ts";
import type { MailBlock } from "#shared/domain/customer/mail-block.ts";
import { Email } from "#shared/domain/base/text.ts";
import { findMailBlocks, unblockMail } from "#shared/storage/customer/mail-blocks.ts";
import type { Table } from "#shared/storage/table.ts";

const usage = "Usage: TABLE_NAME=… npm run lift-mail-block -- --email <address>";

/**
 * Allows mail to an address again, for example after its owner has repaired the mailbox.
 *
 * @returns the block that was lifted; undefined if there was none
 */
export async function liftMailBlock(table: Table, typed: string): Promise<MailBlock | undefined> {
  const email = Email.parse(typed);
  const [block] = await findMailBlocks(table, [email]);
  if (block) await table.write(unblockMail(email));
  return block;
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { email: { type: "string" } } });
  if (values.email === undefined) throw new RangeError(usage);
  if (!process.env["TABLE_NAME"])
    throw new RangeError("Set TABLE_NAME to the name of the shop's table.");
  const block = await liftMailBlock(openTable(process.env, {}), values.email);
  console.log(
    block
      ? `${block.email} can be mailed again. It was blocked at ${block.at}: ${block.reason}.`
      : `${values.email} was not blocked.`,
  );
}

if (import.meta.main) {
  try {
    await run();
  } catch (problem) {
    console.error(problem instanceof Error ? problem.message : problem);
    process.exitCode = 1;
  }
}
