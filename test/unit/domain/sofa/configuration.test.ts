import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Configuration,
  configurationId,
  defaultConfiguration,
  normaliseConfiguration,
} from "#shared/domain/sofa/configuration.ts";
import type { OptionGroup } from "#shared/domain/sofa/sofa.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import { cheapestPrice } from "#shared/domain/sofa/sofa-card.ts";
import {
  aGroup,
  aPublishedSofa,
  aRule,
  aValue,
  someMaterials,
} from "#test/support/shop/builders.ts";

const sofa = aPublishedSofa();
const price = (input: unknown) => priceSofa(sofa, someMaterials, input);
const errorsOf = (input: unknown) =>
  price(input).errors.map(({ option, code }) => `${option}: ${code}`);

/** Mostly sensible configurations, with enough nonsense to break rules. */
const configurations = fc.record(
  {
    size: fc.constantFrom("two-seater", "three-seater", "corner", "bed"),
    orientation: fc.constantFrom("left", "right"),
    upholstery: fc.constantFrom("linen-oat", "velvet-moss", "leather-tan", "linen-rust"),
    legs: fc.constantFrom("oak", "brass"),
    extras: fc.array(fc.constantFrom("usb-port", "storage", "piping", "wings"), { maxLength: 4 }),
    cushions: fc.integer({ min: -1, max: 8 }),
  },
  { requiredKeys: [] },
);

describe("normalizing a sofa configuration", () => {
  test("adds defaults, sorts options and values, and removes duplicates", () => {
    const { configuration, errors } = normaliseConfiguration(sofa, {
      legs: "brass",
      extras: ["usb-port", "storage", "usb-port"],
    });
    expect(errors).toEqual([]);
    expect(JSON.stringify(configuration)).toBe(
      '{"extras":["storage","usb-port"],"legs":"brass","size":"two-seater","upholstery":"linen-oat"}',
    );
  });

  test("returns the defaults for an empty configuration", () => {
    expect(defaultConfiguration(sofa)).toEqual({
      legs: "oak",
      size: "two-seater",
      upholstery: "linen-oat",
    });
  });

  test("treats an empty value as an omitted one", () => {
    expect(normaliseConfiguration(sofa, { cushions: 0, extras: [], orientation: null })).toEqual(
      normaliseConfiguration(sofa, {}),
    );
  });

  test("is idempotent", () => {
    fc.assert(
      fc.property(configurations, (input) => {
        const { configuration, errors } = normaliseConfiguration(sofa, input);
        fc.pre(errors.length === 0);
        expect(normaliseConfiguration(sofa, configuration)).toEqual({ configuration, errors });
      }),
    );
  });
});

describe("the id of a sofa configuration", () => {
  test("is equal for equal options in any order, whether requested or stored", () => {
    fc.assert(
      fc.property(configurations, fc.integer(), (input, seed) => {
        const turned = Object.fromEntries(
          Object.entries(input)
            .map(([code, answer]): [string, unknown] => [
              code,
              Array.isArray(answer) ? answer.toReversed() : answer,
            ])
            .toSorted(() => (seed % 2 === 0 ? -1 : 1)),
        );
        expect(price(turned).configuration_id).toBe(price(input).configuration_id);
        const stored = Object.fromEntries(Object.entries(price(input).configuration).toReversed());
        expect(configurationId(1, stored)).toBe(configurationId(1, price(input).configuration));
      }),
    );
  });

  test("differs between model versions and between all different options", () => {
    const ids = [
      configurationId(1, { legs: "oak" }),
      configurationId(2, { legs: "oak" }),
      configurationId(1, { legs: "brass" }),
    ];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^cfg_[0-9a-f]{32}$/);
  });
});

describe("the price of a sofa configuration", () => {
  test("lists every price component and the total metres of fabric", () => {
    const priced = price({
      size: "corner",
      orientation: "left",
      upholstery: "velvet-moss",
      extras: ["usb-port"],
      cushions: 2,
    });
    expect(priced).toMatchObject({
      valid: true,
      fabric_meters: 14.5,
      lines: [
        { code: "base", label: "Kochi Sofa", amount: 6_500_000 },
        { code: "size.corner", amount: 2_960_750 },
        { code: "upholstery.velvet-moss", label: "upholstery: Velvet, Moss", amount: 3_045_725 },
        { code: "extras.usb-port", amount: 250_000 },
        { code: "cushions.cushion", label: "cushions: 2", amount: 190_000 },
      ],
      price: 12_946_475,
      dimensions: { width_mm: 2_900, depth_mm: 1_700, height_mm: 820 },
      lead_time: { min_days: 40, max_days: 47 },
    });
  });

  test("is rounded half to even", () => {
    const halves = aPublishedSofa({
      base_price: 5,
      option_groups: [
        aGroup("finish", [
          aValue("half", { price_rule: { type: "percent_of_base", bps: 1_000 } }),
          aValue("one-and-a-half", { price_rule: { type: "percent_of_base", bps: 3_000 } }),
        ]),
      ],
      rules: [],
    });
    expect(priceSofa(halves, someMaterials, { finish: "half" }).price).toBe(5);
    expect(priceSofa(halves, someMaterials, { finish: "one-and-a-half" }).price).toBe(7);
  });

  test("is the sum of its components if the configuration is valid, and null otherwise", () => {
    fc.assert(
      fc.property(configurations, (input) => {
        const priced = price(input);
        expect(priced.valid).toBe(priced.errors.length === 0);
        expect(priced.price).toBe(
          priced.valid ? priced.lines.reduce((sum, { amount }) => sum + amount, 0) : null,
        );
        expect(priced.configuration_id === null).toBe(!priced.valid);
      }),
    );
  });

  test("is never below the sofa's starting price", () => {
    const least = cheapestPrice(sofa, someMaterials) ?? Infinity;
    expect(least).toBe(price({}).price);
    fc.assert(
      fc.property(configurations, (input) => {
        expect(price(input).price ?? Infinity).toBeGreaterThanOrEqual(least);
      }),
    );
  });

  test("is at least the starting price, which equals the lowest price of all valid configurations", () => {
    const everyWay = (groups: readonly OptionGroup[]): Record<string, unknown>[] => {
      const [group, ...rest] = groups;
      if (!group) return [{}];
      const codes = group.values.map(({ code }) => code);
      const answers =
        group.input === "number"
          ? [0, 2]
          : group.input === "multiple"
            ? [[], ...codes.map((code) => [code])]
            : [null, ...codes];
      return everyWay(rest).flatMap((way) =>
        answers.map((answer) => ({ ...way, [group.code]: answer })),
      );
    };
    const amount = fc.integer({ min: 0, max: 900_000 });
    fc.assert(
      fc.property(fc.array(amount, { minLength: 3, maxLength: 3 }), fc.nat(2), (amounts, dear) => {
        const [first = 0, second = 0, third = 0] = amounts;
        const model = aPublishedSofa({
          option_groups: sofa.option_groups.map((group) => {
            if (group.code !== "size") return group;
            const rules = [first, second, third].map(
              (each) => ({ type: "fixed", amount: each }) as const,
            );
            return {
              ...group,
              values: group.values.map((value, index) => ({
                ...value,
                price_rule: rules[index] ?? null,
                fabric_meters: index === dear ? 9 : 0,
              })),
            };
          }),
        });
        const prices = everyWay(model.option_groups).flatMap(
          (way) => priceSofa(model, someMaterials, way).price ?? [],
        );
        expect(cheapestPrice(model, someMaterials)).toBe(Math.min(...prices));
      }),
      { numRuns: 10 },
    );
  });

  test("has a lower bound, the starting price, which depends on rules and available materials", () => {
    const forced = aPublishedSofa({
      rules: [aRule(["size", "two-seater"], "require", ["legs", "brass"])],
      option_groups: sofa.option_groups.map((group) =>
        group.code === "legs" ? { ...group, default: "brass" } : group,
      ),
    });
    expect(cheapestPrice(forced, someMaterials)).toBe(
      priceSofa(forced, someMaterials, { legs: "brass" }).price,
    );
    expect(cheapestPrice(sofa, new Map())).toBeNull();
  });
});

describe("the errors of a sofa configuration", () => {
  test.each([
    [{ colour: "red" }, "colour: unknown_option"],
    [{ size: "bed" }, "size: unknown_value"],
    [{ size: ["corner"] }, "size: unknown_value"],
    [{ extras: "storage" }, "extras: unknown_value"],
    [{ extras: ["usb-port", "storage", "piping"] }, "extras: too_many"],
    [{ cushions: 8 }, "cushions: out_of_range"],
    [{ cushions: "2" }, "cushions: out_of_range"],
    [{ cushions: Number.NaN }, "cushions: out_of_range"],
    [{ cushions: 3 }, "cushions: step"],
    [{ cushions: 2.5 }, "cushions: step"],
    [{ size: "corner" }, "orientation: requires"],
    [{ orientation: "left" }, "orientation: forbidden"],
    [{ upholstery: "leather-tan", extras: ["piping"] }, "extras: forbidden"],
    [{ upholstery: "linen-rust" }, "upholstery: unavailable"],
  ])("for %j are %s", (input, expected) => {
    expect(errorsOf(input)).toEqual([expected]);
  });

  test("name a required option that has no default", () => {
    const model = aPublishedSofa({
      option_groups: [
        aGroup("legs", ["oak", "brass"], { required: true }),
        aGroup("extras", ["a", "b", "c"], { input: "multiple", required: true, min: 2 }),
      ],
      rules: [],
    });
    const { errors } = priceSofa(model, someMaterials, { extras: ["a"] });
    expect(errors).toMatchObject([
      { option: "legs", code: "required", allowed: ["oak", "brass"] },
      { option: "extras", code: "too_few", allowed: ["a", "b", "c"] },
    ]);
  });

  test("suggest the nearest valid numbers for an invalid number", () => {
    expect(price({ cushions: 3 }).errors[0]?.allowed).toEqual([2, 4]);
    expect(price({ cushions: 99 }).errors[0]?.allowed).toEqual([6]);
    expect(price({ cushions: -5 }).errors[0]?.allowed).toEqual([0]);
  });

  test("suggest a value even if it requires another option that has no value yet", () => {
    const corner = aPublishedSofa({
      option_groups: [
        aGroup("size", ["2-seater", "l-shape"], { required: true, default: "2-seater" }),
        aGroup("orientation", ["left", "right"]),
        aGroup("extras", ["chaise"]),
      ],
      rules: [
        aRule(["size", "l-shape"], "require", ["orientation", "left", "right"]),
        aRule(["extras", "chaise"], "require", ["size", "l-shape"]),
      ],
    });
    const { errors } = priceSofa(corner, new Map(), { extras: "chaise" });
    expect(errors).toMatchObject([{ option: "size", code: "requires", allowed: ["l-shape"] }]);
  });

  test("suggest only values that would be valid", () => {
    fc.assert(
      fc.property(configurations, (input) => {
        const { errors } = price(input);
        for (const { option, allowed } of errors) {
          const group = sofa.option_groups.find(({ code }) => code === option);
          for (const value of allowed) {
            const instead = group?.input === "multiple" ? [value] : value;
            const repaired = price({ ...input, [option]: instead });
            expect(repaired.errors.filter((error) => error.option === option)).toEqual([]);
            if (new Set(errors.map((error) => error.option)).size === 1) {
              // The value may activate a required option. No other error may remain.
              const open = repaired.errors.filter(({ code }) => code !== "requires");
              expect(open).toEqual([]);
            }
          }
        }
      }),
    );
  });
});

describe("pricing untrusted input", () => {
  test("returns a configuration without throwing, in a response of limited size", () => {
    const hostile: unknown[] = [
      null,
      undefined,
      7,
      "size",
      [],
      [["size", "corner"]],
      JSON.parse('{"__proto__": {"size": "corner"}, "constructor": "x", "toString": ["y"]}'),
      { size: { toString: "corner" }, extras: { length: 3 }, cushions: Infinity },
      { extras: Array.from({ length: 100_000 }, () => "storage") },
      Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`option-${index}`, "x"])),
      { ["x".repeat(100_000)]: 1 },
    ];
    for (const input of hostile) {
      const priced = price(input);
      expect(Configuration.safeParse(priced.configuration).success).toBe(true);
      expect(JSON.stringify(priced).length).toBeLessThan(5_000);
    }
  });

  test("always returns a well-formed configuration", () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        expect(Configuration.safeParse(price(input).configuration).success).toBe(true);
      }),
    );
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("size", "extras", "cushions", "upholstery", "__proto__"),
          fc.anything(),
        ),
        (input) => {
          expect(Configuration.safeParse(price(input).configuration).success).toBe(true);
        },
      ),
    );
  });
});
