import * as z from "zod";
import {
  Address,
  type AddressBook,
  AddressInput,
  AddressPatch,
  NewAddressInput,
  addressIn,
  addressView,
  emptyBook,
  listAddresses,
  maxAddresses,
  withAddress,
  withChangedAddress,
  withDefault,
  withoutAddress,
} from "#shared/domain/address-book.ts";
import { newId } from "#shared/domain/ids.ts";
import { AppError, invalidField } from "#shared/http/errors.ts";
import { IfMatch, requireVersion } from "#shared/http/if-match.ts";
import { type Actor, customer, route } from "#shared/http/route.ts";
import { AddressBooks, saveAddresses } from "#shared/storage/addresses.ts";
import { Idempotency, type IdempotencyId, bindKey, boundBy } from "#shared/storage/idempotency.ts";
import { onFresh } from "#shared/storage/on-fresh.ts";
import { customerId } from "./caller.ts";
import type { Deps } from "./deps.ts";

type Book = Omit<AddressBook, "version">;

const Params = z.object({ id: z.string().max(60) });
const WriteHeaders = z.object({ "if-match": IfMatch });

const readBook = ({ actor }: { actor: Actor }, { table }: Pick<Deps, "table">) =>
  table.get(AddressBooks, { customer: customerId(actor) });

const unknownAddress = () =>
  new AppError("not_found", { message: "There is no such address in your account." });

interface WritingOne {
  readonly actor: Actor;
  readonly first: AddressBook | undefined;
  readonly params: { readonly id: string };
  readonly headers: { readonly "if-match"?: number | undefined };
}

/** Changes what has to do with one address, on a fresh read each time somebody else changed the book in between. */
async function writeOne(
  call: WritingOne,
  { table }: Pick<Deps, "table">,
  change: (book: Book, address: Book["addresses"][number]) => Book,
): Promise<Book> {
  const read = () => readBook(call, { table });
  return onFresh(call.first, read, async (before) => {
    const book = before ?? emptyBook;
    const address = addressIn(book, call.params.id);
    if (!address) throw unknownAddress();
    requireVersion(call.headers["if-match"], address.version);
    const after = change(book, address);
    await table.write(saveAddresses(customerId(call.actor), before, after));
    return after;
  });
}

function answerOf(book: Book, id: string) {
  const address = addressIn(book, id);
  if (!address) throw unknownAddress();
  return { data: addressView(book, address), version: address.version };
}

const wrongPostalCode = () =>
  invalidField("postal_code", "The postal code field must be a valid postal code.");

const example = {
  label: "Home",
  name: "Asha Rao",
  phone: "+919812345678",
  line1: "4 Church Street",
  city: "Bengaluru",
  state: "Karnataka",
  postal_code: "560001",
  country: "IN",
  access: { floor: 2, lift: true },
};

export const getAddresses = route({
  method: "GET",
  path: "/addresses",
  summary: "All addresses, the default first, then the newest",
  access: customer,
  request: {},
  response: { status: 200, data: z.array(Address) },
  first: (call, deps: Deps) => readBook(call, deps),
  async handle({ first }) {
    return { data: listAddresses(first ?? emptyBook) };
  },
});

interface Adding {
  readonly actor: Actor;
  readonly idempotencyKey: string | null;
  readonly bodyHash: string;
  readonly now: Date;
}

function keyOf({ actor, idempotencyKey: key }: Adding): IdempotencyId | null {
  return key === null ? null : { route: "addresses", caller: customerId(actor), key };
}

/** Reads the book and what an earlier call with the same key has made. */
async function openForAdding(call: Adding, { table }: Pick<Deps, "table">) {
  const key = keyOf(call);
  const [book, record] = await Promise.all([
    readBook(call, { table }),
    key ? table.get(Idempotency, key) : undefined,
  ]);
  const bound = boundBy(record, call.now);
  if (bound && bound.body_hash !== call.bodyHash) throw new AppError("idempotency_key_reused");
  return { book, earlier: bound?.made_id };
}

export const addAddress = route({
  method: "POST",
  path: "/addresses",
  summary: "Add an address",
  description: `The first one is the default. There is room for ${maxAddresses}.`,
  access: customer,
  idempotent: true,
  request: { body: NewAddressInput.meta({ example }) },
  response: { status: 201, data: Address },
  first: (call, deps: Deps) => openForAdding(call, deps),
  async handle(call, deps) {
    const { body, bodyHash, now } = call;
    const id = newId("addr", now);
    const key = keyOf(call);
    const read = () => openForAdding(call, deps);
    return onFresh(call.first, read, async ({ book: before, earlier }) => {
      if (earlier !== undefined) {
        const headers = { "Idempotent-Replayed": "true" };
        // The two were read side by side: the book may be of the moment before.
        const isThere = before && addressIn(before, earlier);
        const book = isThere ? before : await readBook(call, deps);
        return { ...answerOf(book ?? emptyBook, earlier), headers };
      }
      const after = withAddress(before ?? emptyBook, body, id, now);
      if (!after) {
        throw invalidField("address", `An account holds at most ${maxAddresses} addresses.`);
      }
      const save = saveAddresses(customerId(call.actor), before, after);
      await deps.table.transact([
        save,
        ...(key ? [bindKey(key, { bodyHash, madeId: id, now })] : []),
      ]);
      return answerOf(after, id);
    });
  },
});

export const getAddress = route({
  method: "GET",
  path: "/addresses/{id}",
  summary: "One address",
  access: customer,
  request: { params: Params },
  response: { status: 200, data: Address },
  first: (call, deps: Deps) => readBook(call, deps),
  async handle({ params, first }) {
    return answerOf(first ?? emptyBook, params.id);
  },
});

export const replaceAddress = route({
  method: "PUT",
  path: "/addresses/{id}",
  summary: "Replace an address",
  description: "Whether it is the default stays as it is.",
  access: customer,
  request: { params: Params, headers: WriteHeaders, body: AddressInput.meta({ example }) },
  response: { status: 200, data: Address },
  errors: ["version_mismatch"],
  first: (call, deps: Deps) => readBook(call, deps),
  handle: (call, deps) => change(call, deps, call.body, call.now),
});

export const patchAddress = route({
  method: "PATCH",
  path: "/addresses/{id}",
  summary: "Change parts of an address",
  description: "`null` clears what may be empty; `access` is replaced as a whole.",
  access: customer,
  request: {
    params: Params,
    headers: WriteHeaders,
    body: AddressPatch.meta({ example: { label: "Parents", landmark: null } }),
  },
  response: { status: 200, data: Address },
  errors: ["version_mismatch"],
  first: (call, deps: Deps) => readBook(call, deps),
  handle: (call, deps) => change(call, deps, call.body, call.now),
});

async function change(
  call: WritingOne,
  deps: Deps,
  changes: AddressInput | AddressPatch,
  now: Date,
) {
  const book = await writeOne(call, deps, (before, address) => {
    const after = withChangedAddress(before, address, changes, now);
    if (!after) throw wrongPostalCode();
    return after;
  });
  return answerOf(book, call.params.id);
}

export const deleteAddress = route({
  method: "DELETE",
  path: "/addresses/{id}",
  summary: "Delete an address",
  description: "Where it was the default, the newest of the others becomes it.",
  access: customer,
  request: { params: Params, headers: WriteHeaders },
  response: { status: 204 },
  errors: ["version_mismatch"],
  first: (call, deps: Deps) => readBook(call, deps),
  async handle(call, deps) {
    await writeOne(call, deps, (book, { id }) => withoutAddress(book, id));
  },
});

export const makeDefault = route({
  method: "POST",
  path: "/addresses/{id}/default",
  summary: "Make an address the default",
  access: customer,
  request: { params: Params, headers: WriteHeaders },
  response: { status: 200, data: Address },
  errors: ["version_mismatch"],
  first: (call, deps: Deps) => readBook(call, deps),
  async handle(call, deps) {
    const book = await writeOne(call, deps, (before, { id }) => withDefault(before, id));
    return answerOf(book, call.params.id);
  },
});
