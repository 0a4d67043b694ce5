import type { ConversationPatch } from "#shared/domain/inbox/conversation.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { is, present } from "#shared/storage/conditions.ts";
import { Leads } from "#shared/storage/enquiry/leads.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { Staff } from "#shared/storage/staff/staff.ts";
import type { Table } from "#shared/storage/table.ts";
import { Refused, type Write, check } from "#shared/storage/writes.ts";

/** A thing that a field names, and the check that there is one. */
interface NamedThing {
  readonly field: string;
  readonly check: Write;
}

/** What a patch names anew, to be there in the transaction that stores it. */
export function whatItNames({ assignee, lead_id, order_id }: ConversationPatch): NamedThing[] {
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
 * All writes or none, and only while every named thing is there.
 *
 * @throws AppError `validation_failed` on the fields whose things are missing; Refused where another try may succeed
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
