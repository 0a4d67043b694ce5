import * as light from "./bedroom-and-light.ts";
import * as cabinets from "./cabinets.ts";
import * as flat from "./floor-and-wall.ts";
import * as seats from "./seats.ts";
import type { Draw } from "./silhouette.ts";
import * as tables from "./tables.ts";

/** Every shape that can be drawn. */
export const shapes = { ...seats, ...tables, ...cabinets, ...light, ...flat } satisfies Record<
  string,
  Draw
>;
export type Shape = keyof typeof shapes;

/** Where a shape belongs in a room. */
export type Standing = "floor" | "lying" | "hanging" | "wall";

const elsewhere: Partial<Record<Shape, Standing>> = {
  stripedRug: "lying",
  medallionRug: "lying",
  diamondRug: "lying",
  roundRug: "lying",
  pendant: "hanging",
  wovenPendant: "hanging",
  clusterPendant: "hanging",
  archMirror: "wall",
  roundMirror: "wall",
};

export const standingOf = (shape: Shape): Standing => elsewhere[shape] ?? "floor";
