import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Opening, fitOf, passage } from "#shared/domain/delivery/fit.ts";

const box = (width_mm: number, depth_mm: number, height_mm: number) => ({
  label: "Carton",
  width_mm,
  depth_mm,
  height_mm,
  weight_g: 1_000,
});
const unmeasured = { width_mm: null, depth_mm: null, diameter_mm: null };

describe("a package", () => {
  test.each<[string, Parameters<typeof passage>, number]>([
    [
      "a door that it passes upright",
      [box(700, 900, 800), { kind: "door", width_mm: 800, height_mm: 2_000 }],
      100,
    ],
    [
      "a door that it passes on end",
      [box(2_100, 900, 750), { kind: "door", width_mm: 800, height_mm: 2_200 }],
      50,
    ],
    [
      "a door that is too low for it on end",
      [box(2_100, 900, 850), { kind: "door", width_mm: 800, height_mm: 2_000 }],
      -50,
    ],
    [
      "a corridor",
      [box(3_000, 600, 500), { kind: "corridor", width_mm: 900, height_mm: 2_400 }],
      400,
    ],
    [
      "a lift whose cabin it fills",
      [
        box(1_000, 1_200, 2_000),
        { kind: "lift", width_mm: 1_000, depth_mm: 1_200, height_mm: 2_100 },
      ],
      0,
    ],
    [
      "a lift that is too shallow for it",
      [box(1_900, 900, 800), { kind: "lift", width_mm: 1_000, depth_mm: 1_400, height_mm: 1_850 }],
      -50,
    ],
    [
      "a corner under a low ceiling",
      [box(2_100, 900, 850), { kind: "corner", width_mm: 1_000, height_mm: 2_050 }],
      -50,
    ],
    [
      "a corner under a ceiling that is high enough for it on end",
      [box(2_100, 900, 850), { kind: "corner", width_mm: 1_000, height_mm: 2_200 }],
      100,
    ],
    [
      "a corner around which it slides",
      [box(950, 950, 950), { kind: "corner", width_mm: 1_000, height_mm: 2_200 }],
      50,
    ],
    [
      "a corner around which it turns",
      [box(400, 1_900, 1_900), { kind: "corner", width_mm: 1_200, height_mm: 2_000 }],
      100,
    ],
    [
      "a corner into a wider corridor",
      [
        box(1_500, 700, 2_000),
        { kind: "corner", width_mm: 900, second_width_mm: 1_600, height_mm: 2_100 },
      ],
      100,
    ],
    [
      "stairs without a landing",
      [box(2_500, 800, 700), { kind: "stairs", width_mm: 900, height_mm: 2_000 }],
      200,
    ],
    [
      "stairs with a landing that is too small to turn",
      [box(2_500, 800, 700), { kind: "stairs", width_mm: 900, height_mm: 2_000, depth_mm: 900 }],
      -500,
    ],
  ])("has the manually calculated clearance at %s", (_name, [carton, opening], clearance) => {
    expect(passage(carton, opening).clearance_mm).toBe(clearance);
  });

  test("turns at a corner of two corridors of width a if its length is at most 2 × (√2 × a − its width)", () => {
    const measures = fc.record({
      a: fc.integer({ min: 500, max: 2_000 }),
      share: fc.double({ min: 0.1, max: 0.45, noNaN: true }),
    });
    fc.assert(
      fc.property(measures, ({ a, share }) => {
        const width = Math.round(a * share);
        const longest = Math.floor(2 * (Math.SQRT2 * a - width));
        const corner = { kind: "corner", width_mm: a, height_mm: 100 } as const;
        expect(passage(box(longest, width, 100), corner).clearance_mm).toBeGreaterThanOrEqual(0);
        expect(passage(box(longest + 1, width, 101), corner).clearance_mm).toBeLessThan(0);
      }),
    );
  });

  const measure = fc.integer({ min: 1, max: 3_000 });
  const openings = fc.oneof(
    fc.record({
      kind: fc.constantFrom("door" as const, "corridor" as const),
      width_mm: measure,
      height_mm: measure,
    }),
    fc.record({
      kind: fc.constant("corner" as const),
      width_mm: measure,
      height_mm: measure,
      second_width_mm: measure,
    }),
    fc.record({
      kind: fc.constantFrom("stairs" as const, "lift" as const),
      width_mm: measure,
      height_mm: measure,
      depth_mm: measure,
    }),
  );
  const boxes = fc.tuple(measure, measure, measure).map(([w, d, h]) => box(w, d, h));
  const growth = fc.record({ w: fc.nat(500), h: fc.nat(500), more: fc.nat(500) });

  test("has at least the same clearance at a bigger opening", () => {
    fc.assert(
      fc.property(boxes, openings, growth, (carton, opening, { w, h, more }) => {
        const bigger: Opening = {
          ...opening,
          width_mm: opening.width_mm + w,
          height_mm: opening.height_mm + h,
          ...("depth_mm" in opening && { depth_mm: opening.depth_mm + more }),
          ...("second_width_mm" in opening && { second_width_mm: opening.second_width_mm + more }),
        };
        expect(passage(carton, bigger).clearance_mm).toBeGreaterThanOrEqual(
          passage(carton, opening).clearance_mm,
        );
      }),
    );
  });

  test("has at least the clearance of a bigger package", () => {
    fc.assert(
      fc.property(boxes, openings, growth, (carton, opening, { w, h, more }) => {
        const bigger = box(carton.width_mm + w, carton.depth_mm + more, carton.height_mm + h);
        expect(passage(carton, opening).clearance_mm).toBeGreaterThanOrEqual(
          passage(bigger, opening).clearance_mm,
        );
      }),
    );
  });

  test("has the same clearance whichever of its sides is called width, depth or height", () => {
    fc.assert(
      fc.property(boxes, openings, ({ width_mm: w, depth_mm: d, height_mm: h }, opening) => {
        const { clearance_mm } = passage(box(w, d, h), opening);
        expect(passage(box(h, w, d), opening).clearance_mm).toBe(clearance_mm);
        expect(passage(box(d, h, w), opening).clearance_mm).toBe(clearance_mm);
      }),
    );
  });
});

describe("the result of the fit check", () => {
  const door = { kind: "door", width_mm: 800, height_mm: 2_000 } as const;
  const lift = { kind: "lift", width_mm: 1_000, depth_mm: 1_000, height_mm: 2_000 } as const;

  test("names for each package the opening with the smallest clearance, and whether it must be laid on its side there", () => {
    const { verdict, packages } = fitOf(
      { packages: [box(600, 600, 600), box(1_900, 900, 790)], dimensions: unmeasured },
      [{ ...door, width_mm: 900 }, door],
      undefined,
    );
    expect(packages.map((each) => [each.verdict, each.worst])).toEqual([
      ["fits", { opening: 1, clearance_mm: 200, turned: false }],
      ["tight", { opening: 1, clearance_mm: 10, turned: true }],
    ]);
    expect(verdict).toBe("tight");
  });

  test.each([
    [20, "fits"],
    [19, "tight"],
    [0, "tight"],
    [-1, "does_not_fit"],
  ])("with a clearance of %i mm has the verdict %s", (clearance, verdict) => {
    const side = 800 - clearance;
    const fit = fitOf(
      { packages: [box(side, side, side)], dimensions: unmeasured },
      [door],
      undefined,
    );
    expect([fit.verdict, fit.packages[0]?.worst?.clearance_mm]).toEqual([verdict, clearance]);
  });

  test("compares a room with the assembled piece in the better of its two directions", () => {
    const sofa = { width_mm: 2_400, depth_mm: 950, diameter_mm: null };
    const judge = (width_mm: number, depth_mm: number) =>
      fitOf({ packages: [box(1, 1, 1)], dimensions: sofa }, [], { width_mm, depth_mm }).room;
    expect(judge(3_000, 1_000)).toEqual({ verdict: "fits", clearance_mm: 50 });
    expect(judge(1_000, 3_000)).toEqual({ verdict: "fits", clearance_mm: 50 });
    expect(judge(2_390, 3_000)).toEqual({ verdict: "fits", clearance_mm: 600 });
    expect(judge(2_300, 2_300)).toEqual({ verdict: "does_not_fit", clearance_mm: -100 });
    const round = { width_mm: null, depth_mm: null, diameter_mm: 1_200 };
    expect(
      fitOf({ packages: [box(1, 1, 1)], dimensions: round }, [], {
        width_mm: 1_215,
        depth_mm: 1_215,
      }).room,
    ).toEqual({
      verdict: "tight",
      clearance_mm: 15,
    });
  });

  test("is `unknown` if the shop has not measured the packages or the piece, and says what is missing", () => {
    const none = fitOf({ packages: [], dimensions: unmeasured }, [door], {
      width_mm: 1,
      depth_mm: 1,
    });
    expect(none).toMatchObject({
      verdict: "unknown",
      packages: [],
      room: null,
      missing: ["packages", "dimensions"],
    });
    const flat = fitOf({ packages: [box(500, 500, 0)], dimensions: unmeasured }, [door], undefined);
    expect(flat).toMatchObject({ verdict: "unknown", missing: ["packages"] });
    expect(flat.packages).toEqual([{ label: "Carton", verdict: "unknown", worst: null }]);
    const big = fitOf(
      { packages: [box(500, 500, 0), box(2_500, 2_500, 2_500)], dimensions: unmeasured },
      [door],
      undefined,
    );
    expect(big.verdict).toBe("does_not_fit");
  });

  test("is `unknown` for packages without openings, and as a whole if there is no room either", () => {
    const measured = { packages: [box(500, 500, 500)], dimensions: unmeasured };
    expect(fitOf(measured, [], undefined)).toMatchObject({
      verdict: "unknown",
      packages: [{ verdict: "unknown", worst: null }],
      room: null,
      missing: [],
      advice: [expect.stringMatching(/^Name every door/)],
    });
    const table = { ...measured, dimensions: { width_mm: 900, depth_mm: 900, diameter_mm: null } };
    const inRoom = (side: number) => fitOf(table, [], { width_mm: side, depth_mm: side });
    expect(inRoom(2_000)).toMatchObject({ verdict: "fits", packages: [{ verdict: "unknown" }] });
  });

  test("advises to ask about other ways in only if a package is too large, not if the room is too small", () => {
    const table = {
      packages: [box(900, 900, 900)],
      dimensions: { width_mm: 900, depth_mm: 900, diameter_mm: null },
    };
    const room = { width_mm: 200, depth_mm: 200 };
    const [ask, small] = ["carriers may know another way", "The room is too small"];
    const adviceOn = (...of: [Parameters<typeof fitOf>[1], Parameters<typeof fitOf>[2]]) =>
      fitOf(table, ...of).advice.join(" ");
    expect(adviceOn([], room)).toContain(small);
    expect(adviceOn([], room)).not.toContain(ask);
    expect(adviceOn([door], undefined)).toContain(ask);
    expect(adviceOn([door], undefined)).not.toContain(small);
  });

  test("says that tilting is not taken into account, and what else to measure", () => {
    const adviceOn = (...openings: Parameters<typeof fitOf>[1][number][]) =>
      fitOf({ packages: [box(1, 1, 1)], dimensions: unmeasured }, openings, undefined).advice.join(
        " ",
      );
    expect(adviceOn(door)).toMatch(/^Tilting a package/);
    expect(adviceOn(lift)).toContain("name it as a door");
    expect(adviceOn({ kind: "stairs", width_mm: 900, height_mm: 2_000 })).toContain("landing");
    expect(adviceOn()).toContain("Name every door");
  });
});

describe("an opening", () => {
  test.each([
    ["a lift without a depth", { kind: "lift" }, "depth_mm"],
    ["a door with a depth", { kind: "door", depth_mm: 100 }, "depth_mm"],
    ["a door with a second width", { kind: "door", second_width_mm: 100 }, "second_width_mm"],
    ["no width", { kind: "door", width_mm: 0 }, "width_mm"],
  ])("is refused for %s", (_name, members, member) => {
    const { error } = Opening.safeParse({ width_mm: 800, height_mm: 2_000, ...members });
    expect(error?.issues.map(({ path }) => path.join("."))).toEqual([member]);
  });
});
