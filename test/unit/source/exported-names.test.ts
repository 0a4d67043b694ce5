import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Programs and packages of their own, with words of their own. */
const apart = ["infra/generated/", "infra/local/storefront/", "shared/client/"];
/** Names that stand in many files, because a function's entry or a bundle finds them by name. */
const byName = new Set(["description", "everyRoute", "routes"]);

const files = globSync("{functions,shared,infra}/**/*.ts")
  .filter((file) => !apart.some((folder) => file.startsWith(folder)))
  .toSorted();
const declaration = /^export (?:async )?(?:const|function\*?|type|interface|class) (\w+)(.*)$/gm;
/** A route has the name of its operation, as may the rule that it applies, and a route of the other guard. */
const isRoute = (rest: string) => /^ = (?:route|listRoute)\(/.test(rest);

test("no two files export the same name", () => {
  const exported = new Map<string, Set<string>>();
  for (const file of files) {
    for (const [, name = "", rest = ""] of readFileSync(file, "utf8").matchAll(declaration)) {
      if (byName.has(name) || isRoute(rest)) continue;
      exported.set(name, (exported.get(name) ?? new Set()).add(file));
    }
  }
  expect(exported.size).toBeGreaterThan(1_000);
  expect([...exported].filter(([, places]) => places.size > 1)).toEqual([]);
});
