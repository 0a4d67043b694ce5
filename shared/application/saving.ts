import type { AuditContext } from "../storage/staff/activity.ts";
import type { Table } from "../storage/table.ts";
import type { TransactionWrite } from "../storage/writes.ts";

/** Where and on whose behalf a record is saved. */
export interface Saving {
  readonly table: Table;
  readonly audit: AuditContext;
  /** Further writes of the same transaction. */
  readonly further?: readonly TransactionWrite[];
}
