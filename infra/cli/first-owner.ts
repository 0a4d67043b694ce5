import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import * as z from "zod";
import { table as openTable } from "#functions/connect/table.ts";
import { addresseeOf } from "#shared/application/identity/account.ts";
import { newLink } from "#shared/application/identity/mail-link.ts";
import { staffAccounts } from "#shared/application/staff/staff-account.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { WebAddress } from "#shared/domain/base/web-address.ts";
import { type StaffUser, newStaffUser } from "#shared/domain/staff/staff.ts";
import { Email, Text } from "#shared/domain/base/text.ts";
import { passwordLink } from "#shared/mail/staff-letters.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { ensureRoles } from "#shared/storage/staff/roles.ts";
import { SettingsRows } from "#shared/storage/settings/settings.ts";
import {
  addStaffUser,
  claimStaffEmail,
  noOwnerYet,
  openStaff,
} from "#shared/storage/staff/staff.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";

const usage =
  "Usage: TABLE_NAME=… npm run first-owner -- --email <address> --name <name> [--admin-url <address>]";

const Options = z.object({ email: Email, name: Text(120), "admin-url": WebAddress.optional() });

/**
 * Creates the roles and invites the first owner. Until there is an active owner, a repeat returns a new link.
 *
 * @returns a link, valid for seven days, where the owner chooses a password
 * @throws RangeError with a message for the operator if there is an active owner, or the back office's URL is unknown
 */
export async function inviteFirstOwner(
  table: Table,
  options: z.input<typeof Options>,
  now: Date,
): Promise<string> {
  const { email, name, "admin-url": adminUrl } = Options.parse(options);
  const settings = await table.get(SettingsRows, { group: "store" });
  const admin_url = adminUrl ?? WebAddress.safeParse(settings?.value["admin_url"]).data;
  if (admin_url === undefined)
    throw new RangeError("The settings have no back office URL. Pass --admin-url <address>.");

  await ensureRoles(table, now);
  const existing = await openStaff(table).findByEmail(email);
  if (existing && existing.role !== "owner") {
    throw new RangeError(`${email} belongs to a staff user who is not an owner.`);
  }
  const owner =
    existing ?? newStaffUser({ email, name, role: "owner" }, { id: newId("stf", now), now });
  const addressee = addresseeOf(staffAccounts, owner);
  const { token, keep } = newLink("staff_invitation", addressee, { randomBytes }, now);
  await table.transact([
    { write: noOwnerYet(), refused: () => new RangeError("The shop already has an owner.") },
    keep,
    ...(existing ? [] : firstWrites(owner, now)),
  ]);
  return passwordLink({ admin_url }, { token, to: email });
}

function firstWrites(owner: StaffUser, now: Date): Write[] {
  const target = { kind: "staff", id: owner.id, label: owner.name };
  const audit = { actor: owner, requestId: "first-owner", now };
  return [
    addStaffUser(owner),
    claimStaffEmail(owner),
    recordActivity(audit, "staff.invite", target, { after: owner }),
  ];
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      email: { type: "string" },
      name: { type: "string" },
      "admin-url": { type: "string" },
    },
  });
  if (values.email === undefined || values.name === undefined) throw new RangeError(usage);
  const options = Options.parse(values);
  if (!process.env["TABLE_NAME"])
    throw new RangeError("Set TABLE_NAME to the name of the shop's table.");
  const link = await inviteFirstOwner(openTable(process.env, {}), options, new Date());
  console.log(
    `${options.name} can choose a password with this link, once, within seven days:\n\n${link}`,
  );
}

function explain(problem: unknown): unknown {
  if (problem instanceof z.ZodError) return z.prettifyError(problem);
  return problem instanceof Error ? problem.message : problem;
}

if (import.meta.main) {
  try {
    await run();
  } catch (problem) {
    console.error(explain(problem));
    process.exitCode = 1;
  }
}
