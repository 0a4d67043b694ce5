import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Configuration, normaliseConfiguration } from "#shared/domain/sofa/configuration.ts";
import { configurationPicture, defaultChoice } from "#shared/domain/sofa/default-choice.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import { sofaCard } from "#shared/domain/sofa/sofa-card.ts";
import { suggestConfiguration } from "#shared/domain/sofa/suggest-configuration.ts";
import {
  aGroup,
  aPublishedSofa,
  aRule,
  aValue,
  someMaterials,
} from "#test/support/shop/builders.ts";

const sofa = aPublishedSofa();
const suggested = (input: object, kept?: string) =>
  suggestConfiguration(sofa, someMaterials, input, kept)?.configuration;

const sizes = ["two-seater", "three-seater", "corner"];
const sides = ["left", "right"];
const fabrics = ["linen-oat", "velvet-moss", "leather-tan", "linen-rust"];
const extras = ["usb-port", "storage", "piping"];
const options = ["size", "orientation", "upholstery", "legs", "extras"];

/** Every valid configuration without cushions. */
const valid: Configuration[] = sizes.flatMap((size) =>
  [undefined, ...sides].flatMap((orientation) =>
    fabrics.flatMap((upholstery) =>
      ["oak", "brass"].flatMap((legs) =>
        Array.from({ length: 8 }, (_, bits) => extras.filter((_one, at) => bits & (1 << at)))
          .map((chosen) => ({
            size,
            ...(orientation !== undefined && { orientation }),
            upholstery,
            legs,
            extras: chosen,
          }))
          .filter((each) => priceSofa(sofa, someMaterials, each).valid),
      ),
    ),
  ),
);

const inputs = fc.record(
  {
    size: fc.constantFrom(...sizes, "bed"),
    orientation: fc.constantFrom(...sides, null),
    upholstery: fc.constantFrom(...fabrics),
    legs: fc.constantFrom("oak", "brass", null),
    extras: fc.uniqueArray(fc.constantFrom(...extras), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

describe("the suggestion for an invalid configuration", () => {
  test("gives an L-shape its side, and takes the side off a straight sofa", () => {
    expect(suggested({ size: "corner" }, "size")).toMatchObject({
      size: "corner",
      orientation: "left",
    });
    const straight = suggested({ size: "two-seater", orientation: "right" }, "size");
    expect(straight).toMatchObject({ size: "two-seater" });
    expect(straight).not.toHaveProperty("orientation");
    expect(suggested({ size: "two-seater", orientation: "right" }, "orientation")).toMatchObject({
      size: "corner",
      orientation: "right",
    });
  });

  test("keeps the values of a multiple choice that are not in the way", () => {
    const input = { upholstery: "leather-tan", extras: ["piping", "storage"] };
    expect(suggested(input, "upholstery")).toMatchObject({
      upholstery: "leather-tan",
      extras: ["storage"],
    });
  });

  test("takes the nearest number, and drops options that the sofa does not have", () => {
    expect(suggested({ cushions: 5, wings: "yes" })).toMatchObject({ cushions: 4 });
    expect(suggested({ cushions: 99 })).toMatchObject({ cushions: 6 });
  });

  test("is null if the kept answer is itself not possible", () => {
    expect(suggested({ size: "bed" }, "size")).toBeUndefined();
    expect(suggested({ upholstery: "linen-rust" }, "upholstery")).toBeUndefined();
    expect(suggested({ upholstery: "linen-rust" })).toMatchObject({ upholstery: "linen-oat" });
  });

  test("is valid, has its price, keeps the changed option and alters as few others as possible", () => {
    fc.assert(
      fc.property(inputs, fc.option(fc.constantFrom(...options)), (input, kept) => {
        fc.pre(!priceSofa(sofa, someMaterials, input).valid);
        const { configuration: own, errors } = normaliseConfiguration(sofa, input);
        const unread = new Set(errors.map(({ option }) => option));
        const text = (each: Configuration, option: string) =>
          JSON.stringify([each[option] ?? []].flat().map(String).toSorted());
        const isAltered = (each: Configuration) => (option: string) =>
          unread.has(option) || text(each, option) !== text(own, option);
        const candidates = valid.filter((each) => kept === null || !isAltered(each)(kept));
        const alterations = (each: Configuration) => options.filter(isAltered(each)).length;
        const result = suggestConfiguration(sofa, someMaterials, input, kept ?? undefined);
        if (candidates.length === 0) {
          expect(result).toBeNull();
          return;
        }
        expect(alterations(result!.configuration)).toBe(Math.min(...candidates.map(alterations)));
        expect(priceSofa(sofa, someMaterials, result!.configuration)).toMatchObject({
          valid: true,
          configuration: result!.configuration,
          price: result!.price,
        });
        if (kept !== null) expect(isAltered(result!.configuration)(kept)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test("is null if the search takes too long, and that takes little time", () => {
    const colors = Array.from({ length: 40 }, (_, at) => `c${at}`);
    const groups = Array.from({ length: 8 }, (_, at) =>
      aGroup(`g${at}`, colors, { required: true, default: "c0" }),
    );
    // Each option must differ from all others, which takes a search far longer than the limit to refute.
    const rules = groups.flatMap(({ code }, at) =>
      groups
        .slice(at + 1)
        .map((other) => aRule([code, ...colors], "forbid", [other.code, ...colors])),
    );
    const model = { ...sofa, option_groups: groups, rules };
    const begun = performance.now();
    expect(suggestConfiguration(model, someMaterials, {}, "g0")).toBeNull();
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});

describe("the picture of a configuration", () => {
  const picture = (name: string) => ({
    url: `media://${name}.webp`,
    alt: name,
    width: 1_200,
    height: 900,
  });
  const pictured = aPublishedSofa({
    option_groups: [
      aGroup("size", [aValue("two", { media: picture("two") }), aValue("three")], {
        required: true,
        default: "two",
      }),
      aGroup("legs", [aValue("oak"), aValue("brass", { media: picture("brass") })], {
        required: true,
        default: "oak",
      }),
      aGroup("cushions", [aValue("cushion", { media: picture("cushion") })], {
        input: "number",
        max: 4,
      }),
    ],
    rules: [],
  });
  const shown = (input: object) =>
    configurationPicture(pictured, normaliseConfiguration(pictured, input).configuration)?.alt;

  test("is that of the last option whose chosen value has one, or else the main picture", () => {
    expect(shown({})).toBe("two");
    expect(shown({ legs: "brass" })).toBe("brass");
    expect(shown({ legs: "brass", cushions: 1 })).toBe("cushion");
    expect(shown({ size: "three" })).toBe(pictured.media[0]?.alt);
  });

  test("is also that of the sofa's default", () => {
    const { image, price, configuration } = defaultChoice(
      pictured,
      someMaterials,
      sofaCard(pictured, someMaterials),
    );
    expect(image?.alt).toBe("two");
    expect(price).toBe(priceSofa(pictured, someMaterials, configuration).price);
  });
});
