import type { AuditContext } from "../storage/staff/activity.ts";
import type { Table } from "../storage/table.ts";
import type { TransactionWrite } from "../storage/writes.ts";

/** The table in which a record is saved, and the audit context of the change. */
export interface Saving {
  readonly table: Table;
  readonly audit: AuditContext;
  /** Further writes of the same transaction. */
  readonly further?: readonly TransactionWrite[];
}
