import { describe, expect, test } from "vitest";
import type { Card } from "#shared/domain/catalog/card.ts";
import type { Sofa } from "#shared/domain/sofa/sofa.ts";
import { AdminSofaRow } from "#shared/domain/listing/admin-rows.ts";
import { type Data, aGroupBody, aSofaBody, soonListed } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, staffAs } = await useShop({ effects: ["catalog-index", "staff-index"] });

const shopper = clientOf(baseUrl);
const staff = await staffAs("catalog_editor");

async function created(overrides: Record<string, unknown> = {}): Promise<Sofa> {
  const reply = await staff.post<Data<Sofa>>("/admin/sofas", aSofaBody(overrides));
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.body.data;
}
const pathOf = ({ id }: { id: string }) => `/admin/sofas/${id}`;

test("a sofa is visible to staff only until it is published", async () => {
  const sofa = await created();
  await soonListed<{ data: AdminSofaRow[] }>(
    "staff-index",
    staff,
    `/admin/sofas?q=${sofa.slug}`,
    ({ body }) =>
      expect(body.data[0]).toMatchObject({ id: sofa.id, status: "draft", price: 9_000_000 }),
  );
  const listed = await staff.get<{ data: AdminSofaRow[] }>("/admin/sofas");
  for (const row of listed.body.data) expect(AdminSofaRow.parse(row)).toEqual(row);
  expect((await shopper.get(`/sofas/${sofa.slug}`)).status).toBe(404);
  expect((await shopper.post(`/sofas/${sofa.slug}/price`, { configuration: {} })).status).toBe(404);

  expect((await staff.patch(pathOf(sofa), { status: "published" })).status).toBe(200);
  expect((await shopper.get(`/sofas/${sofa.slug}`)).status).toBe(200);
  const search = `/sofas?q=${encodeURIComponent(sofa.name)}`;
  await soonListed<{ data: Card[] }>("catalog-index", shopper, search, ({ body }) =>
    expect(body.data[0]).toMatchObject({ id: sofa.id, price: 9_000_000 }),
  );
});

describe("an invalid sofa model", () => {
  const legs = aGroupBody("legs", ["oak", "brass"], { required: true, default: "oak" });
  const arms = aGroupBody("arms", ["low", "high"], { required: true, default: "low" });
  const rule = (when: string, effect: string, ...values: string[]) => ({
    id: `${when}-${effect}`,
    when: { option: "legs", in: [when] },
    then: { effect, option: "arms", values },
    message: "They do not go together.",
  });

  test.each([
    [
      "a value that no configuration can have",
      { option_groups: [legs, arms], rules: [rule("brass", "forbid", "low", "high")] },
      "option_groups.0.values.1",
    ],
    [
      "a default that its own rules forbid",
      { option_groups: [legs, arms], rules: [rule("oak", "forbid", "low")] },
      "option_groups.1.default",
    ],
    [
      "a rule about a value that is not offered",
      { option_groups: [legs, arms], rules: [rule("oak", "require", "medium")] },
      "rules.0.then.values.0",
    ],
    ["a duplicate code", { option_groups: [legs, legs] }, "option_groups.1.code"],
    ["the reserved slug", { slug: "materials" }, "slug"],
  ])("is refused with the path of %s", async (_what, members, path) => {
    const reply = await staff.post<Problem>("/admin/sofas", aSofaBody(members));
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, [path]]);
    const sofa = await created({ status: "published" });
    const edit = await staff.patch<Problem>(pathOf(sofa), members);
    expect([edit.status, Object.keys(edit.body.errors ?? {})]).toEqual([422, [path]]);
  });
});

test("deleting a sofa archives it if it was ever published, and removes it otherwise", async () => {
  const [draft, sofa] = [await created(), await created({ status: "published" })];
  for (const one of [draft, sofa]) expect((await staff.delete(pathOf(one))).status).toBe(204);
  expect((await staff.get(pathOf(draft))).status).toBe(404);
  expect((await staff.get<Data<Sofa>>(pathOf(sofa))).body.data.status).toBe("archived");
  expect((await shopper.get(`/sofas/${sofa.slug}`)).status).toBe(404);
});
