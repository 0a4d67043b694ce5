import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { covers, lacking, Grant, Permission } from "#shared/domain/staff/permission.ts";

test("a permission is granted only by itself, by its group (`orders` or `orders.*`) and by `*`", () => {
  for (const permission of Permission.options) {
    const group = permission.slice(0, permission.indexOf("."));
    for (const grant of [permission, group, `${group}.*`, "*"]) {
      expect([grant, covers([grant], permission)]).toEqual([grant, true]);
    }
    const others = Permission.options.filter((other) => other !== permission);
    expect(covers(others, permission)).toBe(false);
    for (const near of ["", ".", ".*", "*.*", `${permission}.*`, group.slice(1), `${group}.`]) {
      expect([near, covers([near], permission)]).toEqual([near, false]);
    }
  }
});

test("a permission group is granted only by itself and `*`, not by all of its members together", () => {
  for (const grant of Grant.options.filter((each) => !each.includes(".") || each.endsWith(".*"))) {
    expect([grant, covers(Permission.options, grant)]).toEqual([grant, false]);
    expect([grant, covers(["*"], grant)]).toEqual([grant, true]);
  }
  expect([covers(["content"], "content.*"), covers(["content.*"], "content")]).toEqual([
    true,
    true,
  ]);
  expect(covers(["content", "catalog"], "*")).toBe(false);
});

describe("granting permissions to a role", () => {
  const grants = fc.uniqueArray(fc.constantFrom(...Grant.options), { maxLength: 12 });
  const reach = (held: readonly string[]) =>
    new Set(Permission.options.filter((permission) => covers(held, permission)));

  test("never exceeds the permissions of the user who grants them", () => {
    fc.assert(
      fc.property(grants, grants, (held, wanted) => {
        fc.pre(lacking(held, wanted) === undefined);
        expect([...reach(wanted)].filter((permission) => !reach(held).has(permission))).toEqual([]);
      }),
    );
  });

  test("never exceeds the first user's permissions, even through a chain of grants", () => {
    fc.assert(
      fc.property(grants, fc.array(grants, { maxLength: 6 }), (start, chain) => {
        let held: readonly Grant[] = start;
        for (const wanted of chain) if (lacking(held, wanted) === undefined) held = wanted;
        expect(lacking(start, held)).toBeUndefined();
      }),
    );
  });

  test("is refused with the first missing permission", () => {
    fc.assert(
      fc.property(grants, grants, (held, wanted) => {
        const missing = lacking(held, wanted);
        if (missing === undefined) return;
        expect(wanted).toContain(missing);
        expect(covers(held, missing)).toBe(false);
        expect(lacking([...held, missing], wanted)).not.toBe(missing);
      }),
    );
  });

  test("permits the granting user's own permissions, and every permission with `*`", () => {
    fc.assert(
      fc.property(grants, (held) => {
        expect(lacking(held, held)).toBeUndefined();
        expect(lacking(["*"], held)).toBeUndefined();
      }),
    );
  });
});
