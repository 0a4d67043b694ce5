import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  indianState,
  pinPrefixes,
  readState,
  stateOfGstin,
  statesOfPin,
  supplyState,
} from "#shared/domain/contact/place-of-supply.ts";

const codesOf = (pin: string) => statesOfPin(pin).map(({ code }) => code);
const inIndia = (postal_code: string, state: string | null) =>
  readState({ country: "IN", postal_code, state });
const all = statesOfPin("999");

describe("the states of a PIN", () => {
  test("cover all 28 states and 8 union territories, each with codes of its own", () => {
    expect(all).toHaveLength(36);
    expect(new Set(all.map(({ code }) => code)).size).toBe(36);
    expect(new Set(all.map(({ gst_code }) => gst_code)).size).toBe(36);
    const reached = new Set(pinPrefixes().flatMap((pin) => codesOf(pin)));
    expect(reached.size).toBe(36);
  });

  test("are known for the 404 prefixes of India Post, each once and with one to two states", () => {
    const known = pinPrefixes();
    expect(known).toHaveLength(404);
    expect(known.filter((pin) => !/^[1-8]\d\d$/.test(pin))).toEqual([]);
    for (const pin of known) expect([1, 2]).toContain(codesOf(pin).length);
  });

  test.each([
    ["110001", ["DL"]],
    ["122001", ["HR"]],
    ["160017", ["CH", "PB"]],
    ["194101", ["LA"]],
    ["201301", ["UP"]],
    ["244712", ["UP", "UK"]],
    ["247667", ["UP", "UK"]],
    ["362520", ["GJ", "DH"]],
    ["396210", ["GJ", "DH"]],
    ["400001", ["MH"]],
    ["403001", ["GA"]],
    ["500001", ["TS"]],
    ["507126", ["TS", "AP"]],
    ["533464", ["AP", "PY"]],
    ["560001", ["KA"]],
    ["605001", ["TN", "PY"]],
    ["673310", ["KL", "PY"]],
    ["682555", ["KL", "LD"]],
    ["700001", ["WB"]],
    ["737101", ["SK"]],
    ["744101", ["AN"]],
    ["781029", ["AS", "ML"]],
    ["814131", ["JH", "BR"]],
  ])("of %s are %j", (pin, codes) => {
    expect(codesOf(pin)).toEqual(codes);
  });

  test("are all states for army post offices and digits that are not assigned", () => {
    expect(codesOf("900056")).toHaveLength(36);
    expect(codesOf("161001")).toHaveLength(36);
  });
});

test.each([
  ["Karnataka", "KA"],
  [" karnataka ", "KA"],
  ["ka", "KA"],
  ["IN-KA", "KA"],
  ["29", "KA"],
  ["29-Karnataka", "KA"],
  ["Karnataka (29)", "KA"],
  ["Jammu & Kashmir", "JK"],
  ["TAMILNADU", "TN"],
  ["Orissa", "OD"],
  ["Pondicherry", "PY"],
  ["TG", "TS"],
  ["Daman & Diu", "DH"],
  ["Mahārāshtra", "MH"],
])("the state written %j is %s", (written, code) => {
  expect(indianState(written)?.code).toBe(code);
});

test.each(["", "India", "Karnatak", "XX", "कर्नाटक"])("no state is written %j", (written) => {
  expect(indianState(written)).toBeUndefined();
});

test("a GSTIN starts with the code of its state", () => {
  expect(stateOfGstin("29AAGCB7383J1Z4")?.name).toBe("Karnataka");
  expect(stateOfGstin("99AAGCB7383J1Z4")).toBeUndefined();
});

describe("the state of an address", () => {
  const pins = fc.integer({ min: 100_000, max: 999_999 }).map(String);
  const written = fc.option(
    fc.oneof(
      fc.constantFrom(...all.flatMap(({ name, code }) => [name, code, name.toUpperCase()])),
      fc.string(),
    ),
    { nil: null },
  );

  test("is always one that the PIN allows, in its official name, or refused with those that it allows", () => {
    fc.assert(
      fc.property(pins, written, (pin, state) => {
        const allowed = statesOfPin(pin).map(({ name }) => name);
        const read = inIndia(pin, state);
        if (read.problem === undefined) expect(allowed).toContain(read.state);
        else expect(read.allowed).toEqual(allowed);
      }),
    );
  });

  test("is accepted however it is written if the PIN allows it, and stays as read", () => {
    fc.assert(
      fc.property(pins, fc.nat(), fc.boolean(), (pin, index, byCode) => {
        const allowed = statesOfPin(pin);
        const { name, code } = allowed[index % allowed.length]!;
        expect(inIndia(pin, byCode ? code : name)).toEqual({ state: name });
        expect(inIndia(pin, name)).toEqual({ state: name });
      }),
    );
  });

  test("is filled exactly where the PIN allows one state", () => {
    fc.assert(
      fc.property(pins, (pin) => {
        const [only, ...others] = statesOfPin(pin);
        const read = inIndia(pin, null);
        if (others.length === 0) expect(read).toEqual({ state: only?.name });
        else expect(read.problem).toMatch(/^The state field is required: /);
      }),
    );
  });

  test("says which states would be right", () => {
    expect(inIndia("560001", "Kerala")).toEqual({
      problem: "The state field must match the postal code: Karnataka.",
      allowed: ["Karnataka"],
    });
    expect(inIndia("160017", null).problem).toBe(
      "The state field is required: Chandigarh or Punjab.",
    );
    expect(inIndia("900056", null).problem).toBe("The state field is required: a state of India.");
  });

  test("is kept as written in other countries, which have no place of supply", () => {
    const berlin = { country: "DE", postal_code: "10115", state: "Berlin" };
    expect(readState(berlin)).toEqual({ state: "Berlin" });
    expect(readState({ ...berlin, state: null })).toEqual({ state: null });
    expect(supplyState(berlin)).toBeUndefined();
    const bengaluru = { country: "IN", postal_code: "560001", state: null };
    expect(supplyState(bengaluru)?.gst_code).toBe("29");
  });
});
