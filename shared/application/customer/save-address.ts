import type { Shop } from "#shared/application/shop.ts";
import {
  type ExpectedVersion,
  AppError,
  invalidField,
  invalidFields,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { readAddress } from "#shared/domain/contact/postal-address.ts";
import { type CreatingCall, type Once, once } from "#shared/application/once.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type AddressBook,
  type AddressInput,
  type NewAddressInput,
  addressIn,
  addressView,
  emptyBook,
  maxAddresses,
  withAddress,
  withChangedAddress,
} from "#shared/domain/customer/address-book.ts";
import { type Actor, customerId } from "#shared/domain/request/identity.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import { AddressBooks, saveAddresses } from "#shared/storage/customer/addresses.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { Table } from "#shared/storage/table.ts";

export type Book = Omit<AddressBook, "version">;

/** Reads the caller's address book. */
export const readBook = ({ actor }: { actor: Actor }, { table }: Shop<"table">) =>
  table.get(AddressBooks, { customer: customerId(actor) });

export const unknownAddress = () =>
  new AppError("not_found", { message: "There is no address with this id in your account." });

/** A request that changes one address. */
export interface WritingOne {
  readonly actor: Actor;
  readonly first: AddressBook | undefined;
  readonly params: { readonly id: string };
  readonly headers: { readonly "if-match"?: ExpectedVersion };
}

/** Updates one address. On conflict it reads the address book again and retries. */
export async function writeAddress(
  call: WritingOne,
  { table }: Shop<"table">,
  change: (book: Book, address: Book["addresses"][number]) => Book,
): Promise<Book> {
  const read = () => readBook(call, { table });
  return retryOnConflict(call.first, read, async (before) => {
    const book = before ?? emptyBook;
    const address = addressIn(book, call.params.id);
    if (!address) throw unknownAddress();
    requireVersion(call.headers["if-match"], address.version);
    const after = change(book, address);
    if (isUnchanged(book, after)) return book;
    await table.write(saveAddresses(customerId(call.actor), before, after));
    return after;
  });
}

/**
 * Changes members of an address.
 *
 * @param changes returns the changes of the address as it is shown
 * @throws AppError `not_found`, `version_mismatch`, `validation_failed`
 */
export const changeAddress = (
  call: WritingOne,
  shop: Shop<"table">,
  changes: (shown: object) => Partial<AddressInput>,
  now: Date,
): Promise<Book> =>
  writeAddress(call, shop, (before, address) => {
    const changed = changes(addressView(before, address));
    const after = withChangedAddress(before, address, changed, now);
    const { problem } = readAddress({ ...address, ...changed });
    if (!after) throw invalidFields(problem ? [problem] : []);
    return after;
  });

/** The name and phone of a new address: those that were sent, or else those of the account. */
async function recipientOf(
  { name, phone }: NewAddressInput,
  { actor }: { readonly actor: Actor },
  table: Table,
): Promise<{ name: string; phone: string }> {
  if (name !== undefined && phone !== undefined) return { name, phone };
  const account = await table.get(Customers, { id: customerId(actor) });
  const known = { name: name ?? account?.name, phone: phone ?? account?.phone };
  if (known.name === undefined) throw invalidField("name", "The name field is required.");
  if (!known.phone) throw invalidField("phone", "The phone field is required.");
  return { name: known.name, phone: known.phone };
}

/**
 * Adds an address, once per idempotency key.
 *
 * @param first the address book, as the request has read it
 * @throws AppError `validation_failed` when the book is full
 */
export async function addAddress(
  call: CreatingCall & { readonly body: NewAddressInput },
  first: AddressBook | undefined,
  { table }: Shop<"table">,
): Promise<Once<{ readonly book: Book }>> {
  const { body, now } = call;
  const id = newId("addr", now);
  const recipient = await recipientOf(body, call, table);
  const again = () => readBook(call, { table });
  const addition = {
    route: "addresses",
    id,
    at: (added: string) => `/addresses/${added}`,
    known: { first, again },
    replay: async () => ({ book: (await again()) ?? emptyBook }),
  };
  return once(addition, call, table, async (bind, before) => {
    const added = withAddress(before ?? emptyBook, { ...body, ...recipient }, id, now);
    if (!added) {
      throw invalidField(
        "address",
        `The account already has ${maxAddresses} addresses. Delete one first.`,
      );
    }
    const save = saveAddresses(customerId(call.actor), before, added);
    await table.transact([save, ...bind()]);
    return { book: added };
  });
}
