import { describe, expect, test } from "vitest";
import type { Card } from "#shared/domain/catalog/card.ts";
import type { Category, CategoryNode } from "#shared/domain/catalog/category.ts";
import type { ProductDetail } from "#shared/domain/catalog/product-detail.ts";
import type { Product } from "#shared/domain/catalog/product.ts";
import { type Data, aProductBody, mark, soonListed } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, staffAs } = await useShop({ effects: ["catalog-index"] });

const shopper = clientOf(baseUrl);
const staff = await staffAs("catalog_editor");

async function created(overrides: Record<string, unknown> = {}): Promise<Category> {
  const slug = `corner-${mark()}`;
  const reply = await staff.post<Data<Category>>("/admin/categories", {
    kind: "category",
    slug,
    name: "Corner",
    ...overrides,
  });
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.body.data;
}
const pathOf = ({ id }: { id: string }) => `/admin/categories/${id}`;

async function aProductIn(category_slug: string, overrides: Record<string, unknown> = {}) {
  const body = aProductBody({ category_slug, ...overrides });
  return (await staff.post<Data<Product>>("/admin/products", body)).body.data;
}

test("a category can be created, read by staff and the public, and deleted", async () => {
  const category = await created();
  expect((await staff.get<Data<Category>>(pathOf(category))).body.data).toEqual(category);
  await soonListed<{ data: CategoryNode[] }>("catalog-index", shopper, "/categories", ({ text }) =>
    expect(text).toContain(category.slug),
  );
  expect((await staff.delete(pathOf(category))).status).toBe(204);
  expect((await staff.get(pathOf(category))).status).toBe(404);
});

test("sibling categories are ordered by position, and a category cannot become a child of its own child", async () => {
  const shelf = await created();
  const below = { parent_id: shelf.id };
  const [a, b, c] = [await created(below), await created(below), await created(below)];
  await staff.patch(pathOf(c), { position: 0 });
  const { body } = await staff.get<Data<Category[]>>("/admin/categories?kind=category");
  const order = body.data.filter(({ parent_id }) => parent_id === shelf.id).map(({ id }) => id);
  expect(order).toEqual([c.id, a.id, b.id]);

  const circle = await staff.patch<Problem>(pathOf(shelf), { parent_id: a.id });
  expect([circle.status, circle.body.errors]).toEqual([
    422,
    { parent_id: ["A category cannot be below itself."] },
  ]);
  const moved = await staff.patch<Data<Category>>(pathOf(a), { parent_id: null });
  expect(moved.body.data.parent_id).toBe(null);
});

test("a slug is unique among categories of one kind", async () => {
  const category = await created();
  const twin = { kind: "category", slug: category.slug, name: "Twin" };
  expect((await staff.post<Problem>("/admin/categories", twin)).body.code).toBe("already_exists");
  expect((await staff.post("/admin/categories", { ...twin, kind: "style" })).status).toBe(201);
});

describe("a category that is in use", () => {
  test("cannot be deleted, even if only a draft refers to it", async () => {
    const category = await created();
    const product = await aProductIn(category.slug);
    const refused = await staff.delete<Problem>(pathOf(category));
    expect([refused.status, refused.body.code]).toEqual([409, "in_use"]);
    const renamed = await staff.patch<Problem>(pathOf(category), { slug: `new-${category.slug}` });
    expect([renamed.status, renamed.body.code]).toEqual([409, "in_use"]);
    await staff.patch(`/admin/products/${product.id}`, { category_slug: "accent-chairs" });
    expect((await staff.delete(pathOf(category))).status).toBe(204);
  });

  test("cannot be deleted while a concurrent request assigns it to a product", async () => {
    for (let round = 0; round < 5; round++) {
      const category = await created();
      const [gone, made] = await Promise.all([
        staff.delete(pathOf(category)),
        staff.post("/admin/products", aProductBody({ category_slug: category.slug })),
      ]);
      expect([
        [204, 422],
        [409, 201],
      ]).toContainEqual([gone.status, made.status]);
    }
  });
});

test("a new category name appears in the published products of the category", async () => {
  const shelf = await created({ name: "Old shelf" });
  const corner = await created({ parent_id: shelf.id });
  const product = await aProductIn(corner.slug, { status: "published" });
  const list = `/products?category=${shelf.slug}`;
  await soonListed<{ data: Card[] }>("catalog-index", shopper, list, ({ body }) =>
    expect(body.data).toHaveLength(1),
  );
  await staff.patch(pathOf(corner), { name: "New corner" });
  await soonListed<{ data: Card[] }>("catalog-index", shopper, list, ({ body }) =>
    expect(body.data[0]?.category.name).toBe("New corner"),
  );
  const detail = await shopper.get<Data<ProductDetail>>(`/products/${product.slug}`);
  expect(detail.body.data.category).toEqual({ slug: corner.slug, name: "New corner" });

  await staff.patch(pathOf(corner), { parent_id: null });
  await soonListed<{ data: Card[] }>("catalog-index", shopper, list, ({ body }) =>
    expect(body.data).toEqual([]),
  );
});

test("a change of a category with an outdated If-Match returns 412, and changes to other categories do not invalidate its ETag", async () => {
  const category = await created();
  const { headers } = await staff.get(pathOf(category));
  const ifRead = { "if-match": headers.get("etag") ?? "" };
  await created();
  expect((await staff.patch(pathOf(category), { name: "First" }, ifRead)).status).toBe(200);
  const late = await staff.patch<Problem>(pathOf(category), { name: "Late" }, ifRead);
  expect(late.status).toBe(412);
});
