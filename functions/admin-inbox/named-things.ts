import type { ConversationPatch } from "#shared/domain/inbox/conversation.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { is, present } from "#shared/storage/conditions.ts";
import { Leads } from "#shared/storage/enquiry/leads.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { Staff } from "#shared/storage/staff/staff.ts";
import type { Table } from "#shared/storage/table.ts";
import { Refused, type Write, check } from "#shared/storage/writes.ts";

/** A record that a field refers to, and the check that it exists. */
interface NamedThing {
  readonly field: string;
  readonly check: Write;
}

/** New references in a patch, which must exist in the transaction that stores it. */
export function newReferences({ assignee, lead_id, order_id }: ConversationPatch): NamedThing[] {
  const exists = present("pk");
  return [
    ...(assignee
      ? [{ field: "assignee", check: check(Staff, { id: assignee }, is("status", "active")) }]
      : []),
    ...(lead_id ? [{ field: "lead_id", check: check(Leads, { id: lead_id }, exists) }] : []),
    ...(order_id ? [{ field: "order_id", check: check(Orders, { id: order_id }, exists) }] : []),
  ];
}

/**
 * Commits all writes or none, and only while every referenced record exists.
 *
 * @throws AppError `validation_failed` on the fields whose records are missing; Refused where a retry may succeed
 */
export async function transactWhile(
  table: Pick<Table, "transact">,
  things: readonly NamedThing[],
  writes: readonly Write[],
): Promise<void> {
  try {
    await table.transact([...things.map((thing) => thing.check), ...writes]);
  } catch (error) {
    const missing =
      error instanceof Refused && things.find((thing) => error.names(thing.check))?.field;
    if (!missing) throw error;
    throw invalidField(missing, `The selected ${missing.replaceAll("_", " ")} is invalid.`);
  }
}
