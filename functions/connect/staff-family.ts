import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { connectTable } from "./table.ts";

/** Dependencies of every function that serves staff. */
export interface StaffFamilyDeps extends FrameDeps {
  table: Table;
  log: Log;
}

/** @param name the name of the function in its log */
export function connectStaffFamily(environment: NodeJS.ProcessEnv, name: string): StaffFamilyDeps {
  const table = connectTable(environment);
  return { table, identity: openStaffIdentity(table), log: openLog(name) };
}
