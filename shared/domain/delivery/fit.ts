import * as z from "zod";
import { Text } from "../base/text.ts";
import type { Dimensions, Package } from "../catalog/product.ts";

const Measure = z.int().min(1).max(20_000);

/** A place that a package must pass on its way to the room, such as a door. */
export const Opening = z
  .strictObject({
    kind: z.enum(["door", "corridor", "corner", "stairs", "lift"]),
    width_mm: Measure,
    height_mm: Measure,
    depth_mm: Measure.optional().meta({
      description: "Depth of a lift's cabin (required), or of the landing of stairs",
    }),
    second_width_mm: Measure.optional().meta({
      description: "Width of the corridor behind a corner. Default: `width_mm`",
    }),
  })
  .refine(({ kind, depth_mm }) => kind !== "lift" || depth_mm !== undefined, {
    path: ["depth_mm"],
    error: "The depth mm field is required for a lift.",
  })
  .refine(({ kind, depth_mm }) => depth_mm === undefined || kind === "lift" || kind === "stairs", {
    path: ["depth_mm"],
    error: "Only lifts and stairs have a depth.",
  })
  .refine(({ kind, second_width_mm }) => second_width_mm === undefined || kind === "corner", {
    path: ["second_width_mm"],
    error: "Only a corner has a second width.",
  });
export type Opening = z.output<typeof Opening>;

export const Room = z.strictObject({ width_mm: Measure, depth_mm: Measure });
type Room = z.output<typeof Room>;

export const FitVerdict = z.enum(["fits", "tight", "does_not_fit", "unknown"]);
type FitVerdict = z.output<typeof FitVerdict>;

const Clearance = z
  .int()
  .meta({ description: "Remaining space at the narrowest point, in mm; negative if too little" });

export const Fit = z.object({
  verdict: FitVerdict.meta({
    description:
      "The worst verdict of the packages and the room; `unknown` if neither was compared",
  }),
  packages: z.array(
    z.object({
      label: Text(80),
      verdict: FitVerdict,
      worst: z
        .object({
          opening: z.int().min(0).meta({ description: "Index in `openings`" }),
          clearance_mm: Clearance,
          turned: z.boolean().meta({
            description:
              "Whether the package must be laid on its side: `height_mm` is not vertical",
          }),
        })
        .nullable()
        .meta({ description: "The opening with the smallest clearance; null without openings" }),
    }),
  ),
  room: z.object({ verdict: FitVerdict, clearance_mm: Clearance }).nullable(),
  missing: z.array(z.enum(["packages", "dimensions"])).meta({
    description: "What the shop has not measured",
  }),
  advice: z.array(Text(300)),
});
export type Fit = z.output<typeof Fit>;

type Box = Pick<Package, "width_mm" | "depth_mm" | "height_mm">;

/** The measures of a box in one of its positions: across the direction of movement, along it, and upwards. */
interface Position {
  readonly across: number;
  readonly along: number;
  readonly up: number;
}

/**
 * The greatest error, in mm, of the search for the turning angle. It is added before a clearance is rounded down, so
 * that an exact number of millimetres is not reduced by one.
 */
const rounding = 1e-6;

/** The clearance in mm below which a package or piece that fits is `tight`. */
const tightBelow = 20;

/** The six positions of a box with its sides along the axes; the first is upright. */
function positionsOf({ width_mm: w, depth_mm: d, height_mm: h }: Box): Position[] {
  const sides = [
    [w, d, h],
    [d, w, h],
    [w, h, d],
    [h, w, d],
    [d, h, w],
    [h, d, w],
  ] as const;
  return sides.map(([across, along, up]) => ({ across, along, up }));
}

/**
 * The greatest length at which a box of this width can turn from a corridor of width `a` into one of width `b`: the
 * minimum, over the turning angle θ, of (a cos θ + b sin θ − width) / (sin θ cos θ).
 */
export function longestThatTurns(width: number, a: number, b: number): number {
  if (width > Math.min(a, b)) return -Infinity;
  const length = (angle: number) =>
    (a * Math.cos(angle) + b * Math.sin(angle) - width) / (Math.sin(angle) * Math.cos(angle));
  // `length` has a single minimum between these angles.
  let [low, high] = [1e-6, Math.PI / 2 - 1e-6];
  for (let step = 0; step < 80; step++) {
    const third = (high - low) / 3;
    if (length(low + third) < length(high - third)) high -= third;
    else low += third;
  }
  return length((low + high) / 2);
}

/**
 * The clearance of a box at a corner between corridors of widths `a` and `b`. The box either moves on sideways after
 * the corner, without turning, or turns at the corner.
 */
function aroundCorner({ across, along }: Position, a: number, b: number): number {
  const [p, q] = [Math.min(across, along), Math.max(across, along)];
  return Math.max(
    Math.min(a - p, b - q),
    Math.min(a - q, b - p),
    Math.min(a - p, b - p, longestThatTurns(p, a, b) - q),
  );
}

/** The clearance in mm of a box in this position; negative if the box does not pass. */
function spareOf(position: Position, opening: Opening): number {
  const { across, along, up } = position;
  const { width_mm: width, height_mm: height, depth_mm: depth } = opening;
  const above = height - up;
  switch (opening.kind) {
    case "door":
    case "corridor":
      return Math.min(width - across, above);
    case "stairs":
      return depth === undefined
        ? Math.min(width - across, above)
        : Math.min(aroundCorner(position, width, depth), above);
    case "lift":
      return Math.min(width - across, (depth ?? 0) - along, above);
    case "corner":
      return Math.min(aroundCorner(position, width, opening.second_width_mm ?? width), above);
  }
}

/** The clearance of a box at an opening in its best position, and whether that position lays the box on its side. */
export function passage(box: Box, opening: Opening): { clearance_mm: number; turned: boolean } {
  const spare = positionsOf(box).map((position) =>
    Math.floor(spareOf(position, opening) + rounding),
  );
  const best = Math.max(...spare);
  // The first two positions keep the box upright.
  return { clearance_mm: best, turned: Math.max(...spare.slice(0, 2)) < best };
}

const verdictOf = (clearance: number): FitVerdict => {
  if (clearance < 0) return "does_not_fit";
  return clearance < tightBelow ? "tight" : "fits";
};

const fromBest: readonly FitVerdict[] = ["fits", "tight", "unknown", "does_not_fit"];
const worstOf = (verdicts: readonly FitVerdict[]): FitVerdict =>
  fromBest[Math.max(0, ...verdicts.map((each) => fromBest.indexOf(each)))] ?? "unknown";

/** What the shop knows about the measures of one unit. */
interface Measured {
  readonly packages: readonly Package[];
  readonly dimensions: Pick<Dimensions, "width_mm" | "depth_mm" | "diameter_mm">;
}

/** Whether each package passes every opening in its best position, and whether the assembled piece fits in the room. */
export function fitOf(
  { packages, dimensions }: Measured,
  openings: readonly Opening[],
  room: Room | undefined,
): Fit {
  const judged = packages.map((each) => judgedPackage(each, openings));
  const footprint = footprintOf(dimensions);
  const space = room && footprint && roomFor(footprint, room);
  const isMeasured = packages.length > 0 && packages.every(hasMeasures);
  const missing = [
    ...(isMeasured ? [] : ["packages" as const]),
    ...(room && !footprint ? ["dimensions" as const] : []),
  ];
  const compared = [
    ...(openings.length > 0 ? judged.map((each) => each.verdict) : []),
    ...(space ? [space.verdict] : []),
  ];
  const isKnown = missing.length === 0 && compared.length > 0;
  const verdict = worstOf([...compared, ...(isKnown ? [] : ["unknown" as const])]);
  return {
    verdict,
    packages: judged,
    room: space ?? null,
    missing,
    advice: adviceOn(
      { verdict, packages: worstOf(judged.map((each) => each.verdict)), room: space?.verdict },
      openings,
    ),
  };
}

function judgedPackage(box: Package, openings: readonly Opening[]): Fit["packages"][number] {
  const { label } = box;
  if (!hasMeasures(box)) return { label, verdict: "unknown", worst: null };
  const passages = openings.map((opening, index) => ({ opening: index, ...passage(box, opening) }));
  const worst = passages.toSorted((one, other) => one.clearance_mm - other.clearance_mm)[0];
  if (!worst) return { label, verdict: "unknown", worst: null };
  return { label, verdict: verdictOf(worst.clearance_mm), worst };
}

/** Whether all measures of a box are known. Staff may leave an unknown measure at 0. */
const hasMeasures = ({ width_mm, depth_mm, height_mm }: Box): boolean =>
  Math.min(width_mm, depth_mm, height_mm) > 0;

function footprintOf({
  width_mm,
  depth_mm,
  diameter_mm,
}: Measured["dimensions"]): Room | undefined {
  const [width, depth] = [width_mm ?? diameter_mm ?? 0, depth_mm ?? diameter_mm ?? 0];
  return width > 0 && depth > 0 ? { width_mm: width, depth_mm: depth } : undefined;
}

function roomFor(piece: Room, room: Room): NonNullable<Fit["room"]> {
  const clearance_mm = Math.max(
    Math.min(room.width_mm - piece.width_mm, room.depth_mm - piece.depth_mm),
    Math.min(room.width_mm - piece.depth_mm, room.depth_mm - piece.width_mm),
  );
  return { verdict: verdictOf(clearance_mm), clearance_mm };
}

interface Verdicts {
  readonly verdict: FitVerdict;
  /** The worst verdict of the packages. */
  readonly packages: FitVerdict;
  readonly room: FitVerdict | undefined;
}

function adviceOn({ verdict, packages, room }: Verdicts, openings: readonly Opening[]): string[] {
  const has = (kind: Opening["kind"]) => openings.some((opening) => opening.kind === kind);
  const turnsUnknown = openings.some(({ kind, depth_mm }) => kind === "stairs" && !depth_mm);
  return [
    ...(openings.length > 0
      ? ["Tilting a package or lifting it over a railing is not taken into account."]
      : ["Name every door, corridor, corner, staircase and lift between the street and the room."]),
    ...(verdict === "tight"
      ? [
          `Less than ${tightBelow} mm of space remains. Measure again between door handles and skirting boards.`,
        ]
      : []),
    ...(room === "does_not_fit" ? ["The room is too small for the assembled piece."] : []),
    ...(packages === "does_not_fit"
      ? ["Ask us before you order: carriers may know another way."]
      : []),
    ...(turnsUnknown
      ? ["Enter the depth of the stairs' landing, so that the turn on the landing is checked."]
      : []),
    ...(has("lift") ? ["The lift's door is a separate opening: name it as a door."] : []),
  ];
}
