import { isLoopback } from "#shared/runtime/aws-client.ts";
import { openStaff } from "#shared/storage/staff/staff.ts";
import { openTable } from "#shared/storage/table.ts";
import { demoLogins } from "./demo/data/staff.ts";
import type { StackEnvironment } from "./stack.ts";

/** Lines to print with the demo logins of the back office; none if the demo shop's staff do not exist. */
export async function staffLogins(environment: StackEnvironment): Promise<string[]> {
  const { TABLE_NAME: name, DYNAMODB_ENDPOINT: endpoint } = environment;
  if (!isLoopback(endpoint)) return [];
  const staff = openStaff(openTable({ name, endpoint }));
  const users = await Promise.all(demoLogins.map(({ email }) => staff.findByEmail(email)));
  const logins = demoLogins.filter((_login, position) => users[position]);
  if (logins.length === 0) return [];
  const width = Math.max(...logins.map(({ email }) => email.length));
  return [
    "",
    "Staff sign in at POST /api/v1/admin/auth/login as:",
    "",
    ...logins.map(({ email, password }) => `  ${email.padEnd(width)}  ${password}`),
  ];
}
