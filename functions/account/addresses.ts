import * as z from "zod";
import {
  Address,
  type AddressBook,
  AddressInput,
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
} from "#shared/domain/customer/address-book.ts";
import { readPostalCode } from "#shared/domain/contact/postal-code.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { createOnce } from "#shared/application/create-once.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import {
  type ExpectedVersion,
  AppError,
  invalidField,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { CursorMeta, WholeList, sliceOf } from "#shared/http/paging.ts";
import { customer, route } from "#shared/http/route.ts";
import { type Actor } from "#shared/domain/request/identity.ts";
import { AddressBooks, saveAddresses } from "#shared/storage/customer/addresses.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { customerId } from "./caller.ts";
import type { Deps } from "./deps.ts";

type Book = Omit<AddressBook, "version">;

const Params = z.object({ id: z.string().max(60) });
const WriteHeaders = z.object({ "if-match": IfMatch });

const readBook = ({ actor }: { actor: Actor }, { table }: Pick<Deps, "table">) =>
  table.get(AddressBooks, { customer: customerId(actor) });

const unknownAddress = () =>
  new AppError("not_found", { message: "There is no address with this id in your account." });

interface WritingOne {
  readonly actor: Actor;
  readonly first: AddressBook | undefined;
  readonly params: { readonly id: string };
  readonly headers: { readonly "if-match"?: ExpectedVersion };
}

/** Updates one address. On conflict it reads the address book again and retries. */
async function writeOne(
  call: WritingOne,
  { table }: Pick<Deps, "table">,
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

function answerOf(book: Book, id: string) {
  const address = addressIn(book, id);
  if (!address) throw unknownAddress();
  return { data: addressView(book, address), version: address.version };
}

const form = editForm(AddressInput, Address);

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
  summary: "List addresses, the default first, then the newest",
  description: "Returns all of the caller's addresses unless `per_page` is sent.",
  access: customer,
  request: { query: WholeList },
  response: { status: 200, data: z.array(Address), meta: CursorMeta },
  first: (call, deps: Deps) => readBook(call, deps),
  handle: async ({ first, query }) =>
    sliceOf(listAddresses(first ?? emptyBook), "addresses", ({ id }) => id, query),
});

const pathOf = (id: string) => `/addresses/${id}`;

export const addAddress = route({
  method: "POST",
  path: "/addresses",
  summary: "Add an address",
  description: `The first address becomes the default. Returns 422 if the account has ${maxAddresses} addresses.`,
  access: customer,
  idempotent: true,
  request: { body: NewAddressInput.meta({ example }) },
  response: { status: 201, data: Address },
  // Repeating the request with its `Idempotency-Key` returns 404 once the added address has been deleted.
  errors: ["not_found"],
  first: async (call, deps: Deps) => ({ book: await readBook(call, deps) }),
  async handle(call, deps) {
    const { body, now } = call;
    const id = newId("addr", now);
    let read: typeof call.first | undefined = call.first;
    let after: Book | undefined;
    const created = await createOnce(
      { route: "addresses", id },
      call,
      deps.table,
      async (binding) => {
        const { book: before } = read ?? { book: await readBook(call, deps) };
        // A retry reads the address book again.
        read = undefined;
        const added = withAddress(before ?? emptyBook, body, id, now);
        if (!added) {
          throw invalidField(
            "address",
            `The account already has ${maxAddresses} addresses. Delete one first.`,
          );
        }
        const save = saveAddresses(customerId(call.actor), before, added);
        await deps.table.transact([save, ...binding]);
        after = added;
      },
    );
    const book = after ?? (await readBook(call, deps)) ?? emptyBook;
    const headers = locationHeaders(pathOf(created.id), created.replayed);
    return { ...answerOf(book, created.id), headers };
  },
});

export const getAddress = route({
  method: "GET",
  path: "/addresses/{id}",
  summary: "Get an address",
  description: "Returns 404 for an address of another customer.",
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
  description: "A default address stays the default.",
  access: customer,
  request: { params: Params, headers: WriteHeaders, body: form.put.meta({ example }) },
  response: { status: 200, data: Address },
  errors: ["version_mismatch"],
  first: (call, deps: Deps) => readBook(call, deps),
  handle: (call, deps) => change(call, deps, form.replaced, call.now),
});

export const patchAddress = route({
  method: "PATCH",
  path: "/addresses/{id}",
  summary: "Update an address",
  description: "`null` clears an optional field.",
  access: customer,
  request: {
    params: Params,
    headers: WriteHeaders,
    body: form.patch.meta({ example: { label: "Parents", landmark: null } }),
  },
  response: { status: 200, data: Address },
  errors: ["version_mismatch"],
  first: (call, deps: Deps) => readBook(call, deps),
  handle: (call, deps) => change(call, deps, form.patched, call.now),
});

async function change(
  call: WritingOne & { readonly body: object },
  deps: Deps,
  written: (sent: object, shown: object) => Partial<AddressInput>,
  now: Date,
) {
  const book = await writeOne(call, deps, (before, address) => {
    const changes = written(call.body, addressView(before, address));
    const after = withChangedAddress(before, address, changes, now);
    const { problem } = readPostalCode({ ...address, ...changes });
    if (!after) throw invalidField("postal_code", problem ?? "");
    return after;
  });
  return answerOf(book, call.params.id);
}

export const deleteAddress = route({
  method: "DELETE",
  path: "/addresses/{id}",
  summary: "Delete an address",
  description: "If it was the default, the newest remaining address becomes the default.",
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
  description:
    "The previous default becomes an ordinary address. Repeating the call changes nothing.",
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

export const routes = [
  getAddresses,
  addAddress,
  getAddress,
  replaceAddress,
  patchAddress,
  deleteAddress,
  makeDefault,
];
