import { AddressBook } from "../../domain/customer/address-book.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { partitionOf } from "../staff/sessions.ts";
import { type Write, put } from "../writes.ts";

export const AddressBooks = entity({
  name: "address_book",
  notExported: "personal",
  schema: AddressBook,
  key: ({ customer }: { customer: string }) => ({
    pk: partitionOf("customer", customer),
    sk: "ADDRESSES",
  }),
});

/**
 * Stores a customer's addresses, if they are unchanged since they were read.
 *
 * @param before the stored addresses; undefined if the customer had none
 */
export function saveAddresses(
  customer: string,
  before: AddressBook | undefined,
  after: Omit<AddressBook, "version">,
): Write {
  const version = (before?.version ?? 0) + 1;
  return put(
    AddressBooks,
    { ...before, customer, ...after, version },
    before ? is("version", before.version) : isNew,
  );
}
