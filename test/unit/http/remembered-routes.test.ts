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
    ["home", "page", "preview", "product", "sofa", "story"].map((name) => [
      name,
      "It is read for previews only, which are not kept in memory.",
    ]),
  ),
  card: "The writer of the catalog index moves its pointer after it has stored the cards.",
  feed_files: "The routes that read it are not kept in memory.",
  public_generation: "It is the generation.",
  redirect_map: "It changes only with a redirect.",
  stock: "A product's page reads it at each request.",
  view_pointer: "It is part of the state that is checked beside the generation.",
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
