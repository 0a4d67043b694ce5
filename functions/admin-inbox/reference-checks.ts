import type { ConversationPatch } from "#shared/domain/inbox/conversation.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { is, present } from "#shared/storage/conditions.ts";
import { Leads } from "#shared/storage/enquiry/leads.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { Staff } from "#shared/storage/staff/staff.ts";
import { type TransactionWrite, type Write, check } from "#shared/storage/writes.ts";

/**
 * Returns condition checks for the transaction that stores a patch: the lead and the order must exist, and the assignee
 * must be active. Otherwise the transaction throws AppError `validation_failed` on the field.
 */
export function referenceChecks({
  assignee,
  lead_id,
  order_id,
}: ConversationPatch): TransactionWrite[] {
  const exists = present("pk");
  const checked = (field: string, write: Write) => ({
    write,
    refused: () => invalidField(field, `The selected ${field.replaceAll("_", " ")} is invalid.`),
  });
  return [
    ...(assignee
      ? [checked("assignee", check(Staff, { id: assignee }, is("status", "active")))]
      : []),
    ...(lead_id ? [checked("lead_id", check(Leads, { id: lead_id }, exists))] : []),
    ...(order_id ? [checked("order_id", check(Orders, { id: order_id }, exists))] : []),
  ];
}
