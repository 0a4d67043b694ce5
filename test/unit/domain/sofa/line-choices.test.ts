import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normaliseConfiguration } from "#shared/domain/sofa/configuration.ts";
import { choicesOf } from "#shared/domain/sofa/line-choices.ts";
import type { OptionGroup } from "#shared/domain/sofa/sofa.ts";
import {
  aGroup,
  aPublishedSofa,
  aMaterial,
  aValue,
  someMaterials,
} from "#test/support/shop/builders.ts";

const sofa = aPublishedSofa();
const codes = sofa.option_groups.map(({ code }) => code);
const choicesFor = (input: unknown, model = sofa) =>
  choicesOf(model, someMaterials, normaliseConfiguration(model, input).configuration);

/** The displayed value of the only choice of a line, for a sofa with a single option group. */
function valueOf(group: OptionGroup, answer: string | string[] | number, material = aMaterial()) {
  const materials = new Map([[material.code, material]]);
  const model = { ...sofa, option_groups: [group] };
  return choicesOf(model, materials, { [group.code]: answer })[0]?.value;
}

describe("the options of a line as text", () => {
  test("have the sofa model's labels and order, including defaults", () => {
    const extras = ["storage", "usb-port"];
    expect(choicesFor({ cushions: 4, extras, size: "corner", orientation: "left" })).toEqual([
      { option: "size", label: "size", value: "corner" },
      { option: "orientation", label: "orientation", value: "left" },
      { option: "upholstery", label: "upholstery", value: "Linen, Oat" },
      { option: "legs", label: "legs", value: "oak" },
      { option: "extras", label: "extras", value: "usb-port, storage" },
      { option: "cushions", label: "cushions", value: "4 × cushion" },
    ]);
  });

  test("contain each chosen option once, in the sofa model's order, and no other option", () => {
    const answer = fc.oneof(
      fc.constantFrom("two-seater", "corner", "left", "linen-oat", "leather-tan", "brass", "gold"),
      fc.subarray(["usb-port", "storage", "piping", "wings"]),
      fc.integer({ min: -1, max: 8 }),
      fc.constant(null),
    );
    const inputs = fc.dictionary(fc.constantFrom(...codes, "wings"), answer);
    fc.assert(
      fc.property(inputs, fc.shuffledSubarray(sofa.option_groups), (input, option_groups) => {
        const model = { ...sofa, option_groups };
        const { configuration } = normaliseConfiguration(model, input);
        const choices = choicesFor(input, model);
        expect(choices.map(({ option }) => option)).toEqual(
          option_groups
            .map(({ code }) => code)
            .filter((code) => Object.hasOwn(configuration, code)),
        );
        for (const { value } of choices) expect(value).not.toBe("");
      }),
    );
  });

  test('show "None" for a default that the buyer removed', () => {
    const extras = aGroup("extras", ["piping"], { input: "multiple", default: ["piping"] });
    const cushions = aGroup("cushions", ["cushion"], { input: "number", default: 2, min: 0 });
    expect(valueOf(extras, [])).toBe("None");
    expect(valueOf(cushions, 0)).toBe("None");
  });
});

describe("the name of a material as text", () => {
  const cover = aGroup("cover", [aValue("linen-oat", { label: null })], { input: "material" });
  const named = (name: string, color: string) =>
    valueOf(cover, "linen-oat", aMaterial({ name, color: { ...aMaterial().color, name: color } }));

  test.each([
    ["Harbour Linen", "Oat", "Harbour Linen, Oat"],
    ["Redwood Linen", "Red", "Redwood Linen, Red"],
    ["Everyday Shield Dune", "Dune", "Everyday Shield Dune"],
    ["Linen, pale OAT", "Pale oat", "Linen, pale OAT"],
  ])('%s with the color %s is "%s"', (name, color, shown) => {
    expect(named(name, color)).toBe(shown);
  });

  test("is its code once the material no longer exists", () => {
    expect(valueOf(cover, "linen-oat", aMaterial({ code: "other" }))).toBe("linen-oat");
  });
});
