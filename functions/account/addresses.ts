import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  type Book,
  type WritingOne,
  addAddress,
  changeAddress,
  readBook,
  unknownAddress,
  writeAddress,
} from "#shared/application/customer/save-address.ts";
import {
  Address,
  AddressInput,
  NewAddressInput,
  addressIn,
  addressView,
  emptyBook,
  listAddresses,
  maxAddresses,
  withDefault,
  withoutAddress,
} from "#shared/domain/customer/address-book.ts";
import { listRoute } from "#functions/list-route.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { WholeList } from "#shared/http/paging.ts";
import { customer, route } from "#shared/http/route.ts";

const Params = z.object({ id: z.string().max(60) });
const WriteHeaders = z.object({ "if-match": IfMatch });

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

export const getAddresses = listRoute({
  path: "/addresses",
  summary: "List addresses, the default first, then the newest",
  description: "Returns all of the caller's addresses unless `per_page` is sent.",
  access: customer,
  query: WholeList,
  row: Address,
  async list(call, shop: Shop<"table">) {
    const entries = listAddresses((await readBook(call, shop)) ?? emptyBook);
    return { name: "addresses", entries, nameOf: ({ id }) => id };
  },
});

export const createAddress = route({
  method: "POST",
  path: "/addresses",
  summary: "Add an address",
  description: `The first address becomes the default. \`name\` and \`phone\` default to the account's. Returns 422 if the account has ${maxAddresses} addresses.`,
  access: customer,
  idempotent: true,
  request: { body: NewAddressInput.meta({ example }) },
  response: { status: 201, data: Address },
  // Repeating the request with its `Idempotency-Key` returns 404 once the added address has been deleted.
  errors: ["not_found"],
  first: async (call, shop: Shop<"table">) => ({ book: await readBook(call, shop) }),
  async handle(call, shop) {
    const { book, id, headers } = await addAddress(call, call.first.book, shop);
    return { ...answerOf(book, id), headers };
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
  first: (call, shop: Shop<"table">) => readBook(call, shop),
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
  first: (call, shop: Shop<"table">) => readBook(call, shop),
  handle: (call, shop) => change(call, shop, form.replaced, call.now),
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
  first: (call, shop: Shop<"table">) => readBook(call, shop),
  handle: (call, shop) => change(call, shop, form.patched, call.now),
});

async function change(
  call: WritingOne & { readonly body: object },
  shop: Shop<"table">,
  written: (sent: object, shown: object) => Partial<AddressInput>,
  now: Date,
) {
  const changes = (shown: object) => written(call.body, shown);
  return answerOf(await changeAddress(call, shop, changes, now), call.params.id);
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
  first: (call, shop: Shop<"table">) => readBook(call, shop),
  async handle(call, shop) {
    await writeAddress(call, shop, (book, { id }) => withoutAddress(book, id));
  },
});

export const makeAddressDefault = route({
  method: "POST",
  path: "/addresses/{id}/default",
  summary: "Make an address the default",
  description:
    "The previous default becomes an ordinary address. Repeating the call changes nothing.",
  access: customer,
  request: { params: Params, headers: WriteHeaders },
  response: { status: 200, data: Address },
  errors: ["version_mismatch"],
  first: (call, shop: Shop<"table">) => readBook(call, shop),
  async handle(call, shop) {
    const book = await writeAddress(call, shop, (before, { id }) => withDefault(before, id));
    return answerOf(book, call.params.id);
  },
});

export const routes = [
  getAddresses,
  createAddress,
  getAddress,
  replaceAddress,
  patchAddress,
  deleteAddress,
  makeAddressDefault,
];
