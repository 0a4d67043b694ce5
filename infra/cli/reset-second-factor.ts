import { parseArgs } from "node:util";
import { table as openTable } from "#functions/connect/table.ts";
import { changedStaffUser } from "#shared/domain/staff/staff.ts";
import { Email } from "#shared/domain/base/text.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { notifyOfSecondFactor, removeSecondFactor } from "#shared/storage/staff/second-factors.ts";
import { openStaff, replaceStaffUser } from "#shared/storage/staff/staff.ts";
import type { Table } from "#shared/storage/table.ts";

const usage = "Usage: TABLE_NAME=… npm run reset-second-factor -- --email <address>";

/**
 * Resets the second factor of a staff user whom no colleague can help, such as the sole owner. It can be repeated.
 *
 * @throws RangeError with a message for the operator if no staff user has the email
 */
export async function resetSecondFactorByEmail(
  table: Table,
  email: string,
  now: Date,
): Promise<void> {
  const before = await openStaff(table).findByEmail(Email.parse(email));
  if (!before) throw new RangeError(`No staff user has the email ${email}.`);
  const after = changedStaffUser(before, { second_factor_at: null }, now);
  const target = { kind: "staff", id: after.id, label: after.name };
  const audit = { actor: before, requestId: "reset-second-factor", now };
  const changed = before.second_factor_at !== null;
  await table.transact([
    removeSecondFactor(before.id),
    replaceStaffUser(before, after),
    ...(changed ? [notifyOfSecondFactor(after, "reset", now)] : []),
    recordActivity(audit, "staff.reset_second_factor", target, { before, after }),
  ]);
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { email: { type: "string" } } });
  if (values.email === undefined) throw new RangeError(usage);
  if (!process.env["TABLE_NAME"])
    throw new RangeError("Set TABLE_NAME to the name of the shop's table.");
  await resetSecondFactorByEmail(openTable(process.env, {}), values.email, new Date());
  console.log(`${values.email} can now sign in with the password alone and set up another app.`);
}

if (import.meta.main) {
  try {
    await run();
  } catch (problem) {
    console.error(problem instanceof Error ? problem.message : problem);
    process.exitCode = 1;
  }
}
