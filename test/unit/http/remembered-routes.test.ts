import { expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { families } from "#functions/families.ts";
import { everyEntity } from "#infra/entities.ts";
import { everyRoute } from "#test/support/http/every-route.ts";

const entities = await everyEntity();
const isPublic = (name: string) => entities.some((each) => each.name === name && each.isPublic);
const remembered = everyRoute.filter(({ route }) => route.remembered !== undefined);

/** Records that caching functions read although their changes do not raise the public generation, each with a reason. */
const unannounced: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["home", "page", "preview", "preview_end", "product", "sofa", "story"].map((name) => [
      name,
      "It is read for previews only, which are not kept in memory.",
    ]),
  ),
  card: "After a writer has stored cards, it changes the index pointer, which functions check as well.",
  feed_files: "The responses of the routes that read it are not kept in memory.",
  public_generation: "It is the public generation itself.",
  redirect_map: "It changes only together with a redirect, which raises the generation.",
  stock: "The response with a product's stock is kept for 30 seconds at most.",
  view_pointer: "Functions check it whenever they check the generation.",
};

test("functions keep only public responses in memory that are the same for every caller", () => {
  expect(remembered.length).toBeGreaterThan(7);
  for (const { route } of remembered) {
    const { method, access, cache, limit, first, request } = route;
    expect({ method, guard: access.guard, cache, limit, first, body: request.body }).toEqual({
      method: "GET",
      guard: "none",
      cache: "public",
    });
    expect(request.headers).toBeUndefined();
  }
});

test("every record that a caching function reads is public, or exempt with a reason", () => {
  const withMemory = families.filter(({ routes }) =>
    routes.some((route) => remembered.some((each) => each.route === route)),
  );
  expect(withMemory.map(({ name }) => name)).toEqual(["content", "catalog"]);
  const names = withMemory.flatMap(({ permissions: { reads = [] } }) => reads);
  const others = new Set(names.filter((name) => !isPublic(name)));
  expect([...others].toSorted()).toEqual(Object.keys(unannounced).toSorted());
});

test("every function that writes a public record, except the catalog index consumer, has permission to increment the public generation", () => {
  const without = [...families, ...consumers].filter(
    ({ permissions: { writes = [] } }) =>
      writes.some(isPublic) && !writes.includes("public_generation"),
  );
  // After this consumer has corrected categories in published copies, it updates the index's pointer. That also
  // invalidates what functions keep in memory.
  expect(without.map(({ name }) => name)).toEqual(["on-change-catalog-index"]);
});
