import { createHash } from "node:crypto";
import type { ProductMedia } from "#shared/domain/upload/media.ts";
import type { Drawing } from "./gallery.ts";
import { drawing, pictureOf } from "./gallery.ts";
import { type Piece, type Placed, measured, scene, studio } from "./pictures/compose.ts";
import { standingOf } from "./pictures/shapes.ts";
import { canvas } from "./pictures/svg.ts";

/** A number from 0 to less than `below`. It is always the same for a name. */
export const drawLot = (name: string, below: number): number =>
  createHash("sha256").update(name).digest().readUInt32BE() % below;

const walls = ["#cfd6c8", "#e2d3c3", "#c9d3d6", "#e6dccb", "#d9cbd0", "#d3cdbf"];
const floors = ["#b98d5f", "#a67a50", "#c9a67c", "#9b8873"];

const plant = (foliage: string, pot: string): Piece => ({
  shape: "plant",
  width: 560,
  height: 1250,
  paint: { main: foliage, frame: pot, accent: pot },
});
const rugUnder = (width: number): Piece => ({
  shape: "diamondRug",
  width,
  height: 1500,
  paint: { main: "#e8dfcd", frame: "#8b7b66", accent: "#b79a76" },
});
const readingLamp: Piece = {
  shape: "floorLamp",
  width: 400,
  height: 1560,
  paint: { main: "#f1e7d2", frame: "#8f6d3c", accent: "#f1e7d2" },
};

/** Draws the piece in a small furnished room. */
export function furnished(title: string, name: string, piece: Piece): string {
  const scale = Math.min(620 / piece.width, 500 / piece.height, 0.4);
  const half = (piece.width * scale) / 2 / canvas.width;
  const pieces: Placed[] = [
    { piece, x: 0.5, y: 0.82 },
    { piece: rugUnder(piece.width + 900), x: 0.5, y: 0.93 },
    { piece: plant("#6f8a5f", "#b9694a"), x: 0.5 - half - 0.15, y: 0.77 },
    ...(piece.height < 1300 ? [{ piece: readingLamp, x: 0.5 + half + 0.13, y: 0.76 }] : []),
  ];
  return scene(title, {
    wall: walls[drawLot(name, walls.length)]!,
    floor: floors[drawLot(`floor of ${name}`, floors.length)]!,
    scale,
    window: drawLot(`window of ${name}`, 2) ? 0.05 : null,
    pieces,
  });
}

export interface Shown {
  media: ProductMedia[];
  drawings: Drawing[];
}

interface Exhibit {
  folder: string;
  name: string;
  /** Views of the product, each with a description such as `in Oat`. The first view is the main picture. */
  views: readonly { note: string; piece: Piece }[];
  depth: number;
  furnished: boolean;
}

const centimetres = (mm: number) => `${Math.round(mm / 10)} cm`;

/** Every picture of a product: each view alone, the first in a room, and a drawing with measures. */
export function exhibit({ folder, name, views, depth, furnished: inRoom }: Exhibit): Shown {
  const first = views[0]!.piece;
  const flat = standingOf(first.shape) === "lying";
  const all: { role: ProductMedia["role"]; alt: string; draw: (alt: string) => string }[] = [
    ...views.map(({ note, piece }, index) => ({
      role: index === 0 ? ("main" as const) : ("gallery" as const),
      alt: `${name}, ${note}`,
      draw: (alt: string) => studio(alt, piece),
    })),
    ...(inRoom
      ? [
          {
            role: "lifestyle" as const,
            alt: `${name} in a furnished room`,
            draw: (alt: string) => furnished(alt, name, first),
          },
        ]
      : []),
    {
      role: "dimensions",
      alt: `Measures of ${name}`,
      draw: (alt) =>
        measured(alt, first, {
          width: flat
            ? centimetres(first.width)
            : `${centimetres(first.width)} wide, ${centimetres(depth)} deep`,
          height: centimetres(first.height),
        }),
    },
  ];
  const shown = all.map(({ role, alt, draw }, index) => ({
    role,
    picture: drawing(`${folder}/${index + 1}`, alt, draw),
  }));
  return {
    drawings: shown.map(({ picture }) => picture),
    media: shown.map(({ role, picture }) => ({
      ...pictureOf(picture),
      id: picture.id,
      type: "image",
      role,
    })),
  };
}
