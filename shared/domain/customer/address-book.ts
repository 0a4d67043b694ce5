import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import {
  PostalAddress,
  PostalAddressInput,
  asRead,
  readAddress,
} from "../contact/postal-address.ts";
import { Id } from "../base/ids.ts";
import { Phone, Text, Timestamp } from "../base/text.ts";

export const maxAddresses = 20;

const Label = Text(40).nullable();

const StoredAddress = PostalAddress.extend({
  id: Id("addr"),
  /** The customer's own name for the address, such as `Home`. */
  label: Label,
  version: z.int().min(1),
  created_at: Timestamp,
  updated_at: Timestamp,
});
type StoredAddress = z.output<typeof StoredAddress>;

/** All addresses of a customer, as one record, so that exactly one is the default even under concurrent writes. */
export const AddressBook = z.object({
  /** Oldest first. */
  addresses: z.array(StoredAddress).max(maxAddresses),
  /** Null while the book is empty. */
  default_id: z.string().nullable(),
  version: z.int().min(1),
});
export type AddressBook = z.output<typeof AddressBook>;

export const Address = StoredAddress.extend({ is_default: z.boolean() }).meta({
  id: "Address",
  example: {
    id: "addr_01JD00000000000000000000A1",
    label: "Home",
    name: "Asha Rao",
    phone: "+919812345678",
    line1: "4 Church Street",
    line2: null,
    landmark: "Opposite the park",
    city: "Bengaluru",
    state: "Karnataka",
    postal_code: "560001",
    country: "IN",
    access: { floor: 2, lift: true, notes: null },
    version: 1,
    created_at: "2026-11-21T09:00:00.000Z",
    updated_at: "2026-11-21T09:00:00.000Z",
    is_default: true,
  },
});
export type Address = z.output<typeof Address>;

/** A complete address, as PUT sends it. */
export const AddressInput = PostalAddressInput.safeExtend({
  label: Label.default(null),
  name: Text(120),
  phone: Phone,
});
export type AddressInput = z.output<typeof AddressInput>;

/** A new address. Its name and phone default to those of the account. */
export const NewAddressInput = PostalAddressInput.safeExtend({
  label: Label.default(null),
  is_default: z
    .boolean()
    .default(false)
    .meta({ description: "Whether it becomes the default. The first address always does" }),
});
export type NewAddressInput = z.output<typeof NewAddressInput>;

export const emptyBook: Omit<AddressBook, "version"> = { addresses: [], default_id: null };

type Book = Omit<AddressBook, "version">;

/** The address as its owner sees it. */
export function addressView(book: Book, address: StoredAddress): Address {
  return { ...address, is_default: address.id === book.default_id };
}

/** The addresses with the default first, then from the newest to the oldest. */
export function listAddresses(book: Book): Address[] {
  return book.addresses
    .toReversed()
    .map((address) => addressView(book, address))
    .toSorted((one, other) => Number(other.is_default) - Number(one.is_default));
}

export function addressIn(book: Book, id: string): StoredAddress | undefined {
  return book.addresses.find((address) => address.id === id);
}

/** The book with one more address; `undefined` if it is full. */
export function withAddress(
  book: Book,
  { is_default, ...input }: AddressInput & Pick<NewAddressInput, "is_default">,
  id: string,
  now: Date,
): Book | undefined {
  if (book.addresses.length >= maxAddresses) return undefined;
  const at = now.toISOString();
  const address = { ...input, id, version: 1, created_at: at, updated_at: at };
  return {
    addresses: [...book.addresses, address],
    default_id: is_default || book.default_id === null ? id : book.default_id,
  };
}

/** The book with a changed address; `undefined` if its postal code or its state is not one of its country. */
export function withChangedAddress(
  book: Book,
  before: StoredAddress,
  changes: Partial<AddressInput>,
  now: Date,
): Book | undefined {
  const changed: StoredAddress = asRead({ ...before, ...changes });
  if (readAddress(changed).problem !== undefined) return undefined;
  if (isDeepStrictEqual(changed, before)) return book;
  const after = { ...changed, version: before.version + 1, updated_at: now.toISOString() };
  return {
    ...book,
    addresses: book.addresses.map((address) => (address.id === before.id ? after : address)),
  };
}

/** The book with another default. */
export function withDefault(book: Book, id: string): Book {
  return { ...book, default_id: id };
}

/** The book without an address. If it was the default, the newest remaining address becomes the default. */
export function withoutAddress(book: Book, id: string): Book {
  const addresses = book.addresses.filter((address) => address.id !== id);
  const default_id = book.default_id === id ? (addresses.at(-1)?.id ?? null) : book.default_id;
  return { addresses, default_id };
}
