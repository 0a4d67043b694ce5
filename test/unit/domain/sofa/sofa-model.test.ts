import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OptionGroup, SofaRule } from "#shared/domain/sofa/sofa.ts";
import { checkSofaModel, nextModelVersion, checkSofa } from "#shared/domain/sofa/sofa-model.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import { aGroup, aRule, aSofa, aValue, someCategories } from "#test/support/shop/builders.ts";

const paths = (option_groups: OptionGroup[], rules: SofaRule[] = []) =>
  checkSofaModel({ option_groups, rules }).map(({ path }) => path);

const size = aGroup("size", ["small", "large"], { required: true, default: "small" });
const legs = aGroup("legs", ["oak", "brass", "steel"], { required: true, default: "oak" });
const frame = aGroup("frame", ["sal", "pine"], { required: true, default: "sal" });

describe("a sofa model", () => {
  test("is accepted if it is valid", () => {
    expect(checkSofa(aSofa(), someCategories)).toEqual([]);
  });

  test("is refused if its slug would be that of the materials list", () => {
    expect(checkSofa(aSofa({ slug: "materials" }), someCategories)).toMatchObject([
      { path: "slug" },
    ]);
  });

  test.each<[string, OptionGroup[], SofaRule[], string[]]>([
    ["two options with one code", [size, size], [], ["option_groups.1.code"]],
    ["two values with one code", [aGroup("a", ["x", "x"])], [], ["option_groups.0.values.1.code"]],
    [
      "two rules with one id",
      [size, legs],
      [
        aRule(["size", "large"], "forbid", ["legs", "steel"]),
        aRule(["size", "large"], "forbid", ["legs", "steel"]),
      ],
      ["rules.1.id"],
    ],
    [
      "a rule about an unknown option",
      [size],
      [aRule(["size", "large"], "forbid", ["arms", "wide"])],
      ["rules.0.then.option"],
    ],
    [
      "a rule about an unknown value",
      [size, legs],
      [aRule(["size", "huge"], "forbid", ["legs", "oak", "gold"])],
      ["rules.0.when.in.0", "rules.0.then.values.1"],
    ],
    [
      "a rule that relates an option to itself",
      [size],
      [aRule(["size", "large"], "forbid", ["size", "small"])],
      ["rules.0.then.option"],
    ],
    [
      "a rule about a number option",
      [size, aGroup("cushions", ["cushion"], { input: "number" })],
      [aRule(["size", "large"], "require", ["cushions", "cushion"])],
      ["rules.0.then.option"],
    ],
    [
      "a default that is not a value of the option",
      [aGroup("legs", ["oak"], { required: true, default: "gold" })],
      [],
      ["option_groups.0.default"],
    ],
    [
      "a number whose default is between two steps",
      [aGroup("cushions", ["cushion"], { input: "number", max: 6, step: 2, default: 3 })],
      [],
      ["option_groups.0.default"],
    ],
    [
      "an optional choice with a default",
      [aGroup("legs", ["oak"], { default: "oak" })],
      [],
      ["option_groups.0.default"],
    ],
    [
      "a default that the rules forbid",
      [size, legs],
      [aRule(["size", "small"], "forbid", ["legs", "oak"])],
      ["option_groups.1.default"],
    ],
    [
      "a number with two units",
      [aGroup("cushions", ["cushion", "bolster"], { input: "number" })],
      [],
      ["option_groups.0.values"],
    ],
    [
      "a maximum below the minimum",
      [aGroup("extras", ["a", "b"], { input: "multiple", min: 2, max: 1 })],
      [],
      ["option_groups.0.max"],
    ],
    [
      "a price per metre of wood",
      [aGroup("legs", [aValue("oak", { price_rule: { type: "per_meter" } })])],
      [],
      ["option_groups.0.values.0.price_rule"],
    ],
    [
      "a value that every answer to another option forbids",
      [size, legs],
      [
        aRule(["size", "small"], "forbid", ["legs", "steel"]),
        aRule(["size", "large"], "forbid", ["legs", "steel"]),
      ],
      ["option_groups.1.values.2"],
    ],
    [
      "a value that no rule names, but that a requirement excludes",
      [size, legs],
      [aRule(["size", "small", "large"], "require", ["legs", "oak", "brass"])],
      ["option_groups.1.values.2"],
    ],
    [
      "a value that only a chain of three rules excludes",
      [size, legs, frame],
      [
        aRule(["size", "large"], "require", ["legs", "steel"]),
        aRule(["legs", "steel"], "require", ["frame", "pine"]),
        aRule(["frame", "pine"], "forbid", ["size", "large"]),
      ],
      ["option_groups.0.values.1"],
    ],
    [
      "an optional choice whose values are all forbidden",
      [size, aGroup("arms", ["wide", "slim"])],
      [aRule(["size", "small", "large"], "forbid", ["arms", "wide", "slim"])],
      ["option_groups.1.values.0", "option_groups.1.values.1"],
    ],
  ])("is refused at the path of the error for %s", (_fault, groups, rules, expected) => {
    expect(paths(groups, rules)).toEqual(expected);
  });

  test("is refused if a required option has no valid value", () => {
    const arms = aGroup("arms", ["wide", "slim"], { required: true });
    const rules = [aRule(["size", "small", "large"], "forbid", ["arms", "wide", "slim"])];
    expect(paths([size, arms], rules)).toEqual(["rules"]);
  });

  test("is refused if the values of a multiple-choice option are not valid together", () => {
    const extras = aGroup("extras", ["a", "b", "c"], { input: "multiple", max: 1 });
    const needsBoth = [
      aRule(["size", "large"], "require", ["extras", "a"]),
      { ...aRule(["size", "large"], "require", ["extras", "b"]), id: "second" },
    ];
    expect(paths([size, extras], needsBoth)).toEqual(["option_groups.0.values.1"]);
    expect(paths([size, { ...extras, max: 2 }], needsBoth)).toEqual([]);
  });

  test("is refused at exactly the values that no valid configuration contains", () => {
    const codes = ["a", "b", "c"] as const;
    const groups = [
      aGroup("one", codes, { required: true }),
      aGroup("two", codes),
      aGroup("three", codes, { input: "multiple", max: 2 }),
    ];
    const values = fc.uniqueArray(fc.constantFrom(...codes), { minLength: 1 });
    const rule = fc
      .tuple(
        fc.constantFrom([0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]),
        values,
        values,
        fc.constantFrom("require" as const, "forbid" as const),
      )
      .map(([[when = 0, then = 0], causes, targets, effect]) =>
        aRule([groups[when]?.code ?? "", ...causes], effect, [
          groups[then]?.code ?? "",
          ...targets,
        ]),
      );
    const distinct = fc.uniqueArray(rule, { selector: ({ id }) => id, maxLength: 6 });
    const several = [[], ["a"], ["b"], ["c"], ["a", "b"], ["a", "c"], ["b", "c"]];
    const everyWay = codes.flatMap((one) =>
      [null, ...codes].flatMap((two) => several.map((three) => ({ one, two, three }))),
    );
    fc.assert(
      fc.property(distinct, (rules) => {
        const model = { ...aSofa(), option_groups: groups, rules };
        const valid = everyWay.filter((way) => priceSofa(model, new Map(), way).valid);
        const unreachable = groups.flatMap(({ code }, index) =>
          codes.flatMap((value, position) => {
            const met = valid.some((way) =>
              Object.entries(way).some(
                ([option, answer]) =>
                  option === code && (answer === value || (answer?.includes(value) ?? false)),
              ),
            );
            return met ? [] : [`option_groups.${index}.values.${position}`];
          }),
        );
        expect(paths(groups, rules)).toEqual(valid.length === 0 ? ["rules"] : unreachable);
      }),
    );
  });
});

test("the version of a sofa model increases only when options, rules or prices change", () => {
  const sofa = aSofa({ model_version: 4 });
  expect(nextModelVersion(sofa, aSofa({ name: "Other", seats: 9 }))).toBe(4);
  for (const change of [
    { base_price: 1 },
    { fabric_meters: 1 },
    { option_groups: [] },
    { rules: [] },
  ]) {
    expect(nextModelVersion(sofa, aSofa(change))).toBe(5);
  }
});
