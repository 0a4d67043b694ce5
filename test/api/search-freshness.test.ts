import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Stack } from "#infra/local/stack.ts";
import type { Card } from "#shared/domain/catalog/card.ts";
import { type Data, aProductBody } from "#test/support/back-office/catalog.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { worldOf, type StaffClient, staffClient } from "#test/support/people/people.ts";
import { awaits } from "#test/support/stack/effects.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import { type StillClock, stillClock } from "#test/support/stack/clock.ts";

// A separate shop, because its search settings change.
let clock: StillClock;
let stack: Stack;
let owner: StaffClient;
let visitor: Client;
beforeAll(async () => {
  // The clock must be replaced before any function is connected.
  clock = stillClock();
  stack = await startGuardedStack({
    shop: "planted",
    effects: ["catalog-index", "staff-index"],
  });
  owner = await staffClient(stack.baseUrl, worldOf(stack.environment), "owner");
  visitor = clientOf(stack.baseUrl);
});
afterAll(async () => {
  await stack.stop();
  clock.restore();
});

/** A word that no other card has. */
const aWord = () => `Quokka${randomUUID().replaceAll(/[^a-f]/g, "")}`;
interface Made {
  id: string;
  slug: string;
  variants: { sku: string }[];
}

async function made(body: object): Promise<Made> {
  const reply = await owner.post<Data<Made>>("/admin/products", body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}
async function changed(path: string, body: object, method: "patch" | "put" = "patch") {
  const reply = await owner[method](path, body);
  expect(reply.status, reply.text).toBe(200);
}
async function hide(hidden: readonly string[]) {
  const { body } = await owner.get<Data<{ version: number }>>("/admin/settings/search");
  await changed("/admin/settings/search", { ...body.data, hidden }, "put");
}

/** What each search of the public shows: slugs and availability. */
async function shown(word: string): Promise<[string, string][][]> {
  awaits("catalog-index");
  const lists = await Promise.all([
    visitor.get<Data<Card[]>>(`/products?q=${word}`),
    visitor.get<Data<{ card: Card }[]>>(`/search?q=${word}&type=product`),
  ]);
  const [products, found] = [lists[0].body.data, lists[1].body.data.map(({ card }) => card)];
  const suggested = await visitor.get<Data<{ cards: Card[] }>>(`/search/suggest?q=${word}`);
  return [products, found, suggested.body.data.cards].map((cards) =>
    cards.map(({ slug, availability }) => [slug, availability.state]),
  );
}
const everywhere = (...cards: [string, string][]) => [cards, cards, cards];

/**
 * Expects that search shows a change five seconds after the catalog index contains it. Before the change, each search
 * is read once, so that the function holds the earlier catalog in memory.
 */
async function showsAfter(
  change: () => Promise<unknown>,
  expected: readonly (readonly [word: string, cards: [string, string][][]])[],
): Promise<void> {
  for (const [word] of expected) await shown(word);
  await change();
  await stack.settled();
  await clock.still(async () => {
    clock.pass(5_000);
    for (const [word, cards] of expected) expect([word, await shown(word)]).toEqual([word, cards]);
  });
}

describe("lists, search and suggestions show within five seconds that a product", () => {
  test("was published, renamed, hidden from search and archived", async () => {
    const [word, newWord] = [aWord(), aWord()];
    const { id, slug, variants } = await made(aProductBody({ name: `${word} stool` }));
    const path = `/admin/products/${id}`;
    await changed(`/admin/inventory/${variants[0]?.sku}`, { set: 50, reason: "Delivery" });
    const card: [string, string] = [slug, "in_stock"];
    await showsAfter(() => changed(path, { status: "published" }), [[word, everywhere(card)]]);
    await showsAfter(
      () => changed(path, { name: `${newWord} stool` }),
      [
        [word, everywhere()],
        [newWord, everywhere(card)],
      ],
    );
    await showsAfter(() => hide([id]), [[newWord, everywhere()]]);
    await showsAfter(() => hide([]), [[newWord, everywhere(card)]]);
    await showsAfter(() => changed(path, { status: "archived" }), [[newWord, everywhere()]]);
  });

  test("is sold out, and ranks behind others", async () => {
    const word = aWord();
    const make = () => made(aProductBody({ name: `${word} stool`, status: "published" }));
    const products = [await make(), await make()];
    const setStock = ({ variants }: Made, set: number) =>
      changed(`/admin/inventory/${variants[0]?.sku}`, { set, reason: "Count" });
    for (const product of products) await setStock(product, 50);
    await stack.settled();
    clock.pass(5_000);
    const [first, second] = (await shown(word))[0]!.map(([slug]) =>
      products.find((product) => product.slug === slug),
    );
    await showsAfter(
      () => setStock(first!, 0),
      [[word, everywhere([second!.slug, "in_stock"], [first!.slug, "out_of_stock"])]],
    );
  });
});

test("the lists of staff use the shop's own synonyms, and include products that search hides from the public", async () => {
  const [word, alias] = [aWord(), aWord()];
  const { id, slug } = await made(aProductBody({ name: `${word} stool` }));
  const rows = async (path: string) => {
    awaits("staff-index");
    const { body } = await owner.get<Data<{ slug?: string; product?: { slug: string } }[]>>(
      `${path}?q=${alias}`,
    );
    return body.data.map((row) => row.slug ?? row.product?.slug);
  };
  await stack.settled();
  expect(await rows("/admin/products")).toEqual([]);
  const { body } = await owner.get<Data<object>>("/admin/settings/search");
  await changed(
    "/admin/settings/search",
    { ...body.data, synonyms: [[word, alias]], hidden: [id] },
    "put",
  );
  clock.pass(5_000);
  expect(await rows("/admin/products")).toEqual([slug]);
  expect(await rows("/admin/inventory")).toEqual([slug]);
});
