import { type Shape, shapes, standingOf } from "./shapes.ts";
import type { Paint } from "./silhouette.ts";
import {
  canvas,
  document,
  ellipse,
  escaped,
  group,
  path,
  rect,
  stroke,
  times,
  tone,
  type Svg,
} from "./svg.ts";

/** A piece of furniture to draw: its shape, its size from the front in mm, and its colours. */
export interface Piece {
  shape: Shape;
  width: number;
  height: number;
  paint: Paint;
  mirrored?: boolean;
}

/** A piece in a room. `x` and `y` are the middle of its bottom edge, as fractions of the picture, 0 to 1. */
export interface Placed {
  piece: Piece;
  x: number;
  y: number;
}

function draw({ shape, width, height, paint, mirrored }: Piece): Svg {
  const body = shapes[shape](width, height, paint);
  return mirrored ? group(`translate(${width} 0) scale(-1 1)`, body) : body;
}

const placed = (piece: Piece, cx: number, foot: number, scale: number): Svg =>
  group(
    `translate(${(cx - (piece.width * scale) / 2).toFixed(1)} ${(foot - piece.height * scale).toFixed(1)}) scale(${scale.toFixed(4)})`,
    draw(piece),
  );

/** A pale background that contrasts with a colour. */
function groundFor(hex: string): string {
  const [r, g, b] = [1, 3, 5].map((from) => Number.parseInt(hex.slice(from, from + 2), 16)) as [
    number,
    number,
    number,
  ];
  const bright = (r * 3 + g * 6 + b) / 10;
  if (bright > 205) return "#d8cbb6";
  return r > b + 18 ? "#efe7da" : b > r + 8 ? "#eee6dc" : "#ece8e0";
}

/** The piece alone on a pale background. */
export function studio(title: string, piece: Piece): string {
  const { width, height } = canvas;
  const hanging = standingOf(piece.shape) === "hanging";
  const scale = Math.min(
    (width * 0.7) / piece.width,
    (height * (hanging ? 0.8 : 0.68)) / piece.height,
  );
  const flat = standingOf(piece.shape) !== "floor";
  const tall = piece.height * scale;
  const foot = hanging ? tall : flat ? (height + tall) / 2 : height * 0.63 + tall * 0.3;
  const half = (piece.width * scale) / 2;
  const under = flat
    ? ""
    : ellipse(width / 2, foot, half * 1.12, Math.max(16, half * 0.07), "url(#shade)");
  return document(
    title,
    groundFor(piece.paint.main),
    under + placed(piece, width / 2, foot, scale),
  );
}

/** The piece with its dimensions, as on a data sheet. */
export function measured(
  title: string,
  piece: Piece,
  labels: { width: string; height: string },
): string {
  const { width, height } = canvas;
  const scale = Math.min((width * 0.56) / piece.width, (height * 0.56) / piece.height);
  const [half, tall, foot] = [(piece.width * scale) / 2, piece.height * scale, height * 0.78];
  const [left, right, top] = [width / 2 - half, width / 2 + half, foot - tall];
  const ink = "#5b5148";
  const plain = { main: "#d9d2c6", frame: "#a89d8e", accent: "#c9bfae" };
  const text = (x: number, y: number, label: string, turn: string) =>
    `<text x="${Math.round(x)}" y="${Math.round(y)}" font-family="Helvetica,Arial,sans-serif" font-size="30" fill="${ink}" text-anchor="middle"${turn}>${escaped(label)}</text>`;
  const lines =
    stroke(
      `M${left} ${foot + 40}H${right}M${left} ${foot + 24}V${foot + 56}M${right} ${foot + 24}V${foot + 56}`,
      ink,
      3,
    ) +
    stroke(
      `M${right + 50} ${top}V${foot}M${right + 34} ${top}H${right + 66}M${right + 34} ${foot}H${right + 66}`,
      ink,
      3,
    );
  return document(
    title,
    "#f7f4ef",
    placed({ ...piece, paint: plain }, width / 2, foot, scale) +
      lines +
      text(width / 2, foot + 92, labels.width, "") +
      text(
        right + 92,
        (top + foot) / 2,
        labels.height,
        ` transform="rotate(90 ${Math.round(right + 92)} ${Math.round((top + foot) / 2)})"`,
      ),
  );
}

export interface Room {
  wall: string;
  floor: string;
  /** Pixels per mm. */
  scale: number;
  pieces: readonly Placed[];
}

/** How much of a rug's depth is visible at eye level. */
const foreshortening = 0.3;

function standing({ piece, x, y }: Placed, scale: number): Svg {
  const [cx, foot] = [canvas.width * x, canvas.height * y];
  if (standingOf(piece.shape) === "lying") {
    const [w, d] = [piece.width * scale, piece.height * scale * foreshortening];
    return group(
      `translate(${(cx - w / 2).toFixed(1)} ${(foot - d).toFixed(1)}) scale(${scale.toFixed(4)} ${(scale * foreshortening).toFixed(4)})`,
      draw(piece),
    );
  }
  const half = (piece.width * scale) / 2;
  const shadow =
    standingOf(piece.shape) === "floor"
      ? ellipse(cx, foot, half * 1.08, Math.max(8, half * 0.06), "url(#shade)")
      : "";
  return shadow + placed(piece, cx, foot, scale);
}

const skirting = canvas.height * 0.68;

function shell({ wall, floor }: Room): Svg {
  const { width, height } = canvas;
  return (
    rect(0, skirting, width, height - skirting, 0, floor) +
    stroke(
      times(
        9,
        (board) =>
          `M${width / 2 + (board - 4) * 120} ${skirting}L${width / 2 + (board - 4) * 260} ${height}`,
      ),
      tone(floor, -0.1),
      2,
    ) +
    rect(0, skirting, width, height - skirting, 0, "url(#lit)") +
    rect(0, skirting - 16, width, 16, 0, tone(wall, 0.5))
  );
}

/** A window with morning light on the wall. */
const daylight = (x: number): Svg =>
  rect(x, 90, 230, 330, 8, "#fdfaf3") +
  rect(x + 12, 102, 206, 306, 4, "#d3e4e6") +
  path(`M${x + 12} 330Q${x + 80} 270 ${x + 140} 320T${x + 218} 300V408H${x + 12}Z`, "#a9c09a") +
  stroke(`M${x + 115} 102V408M${x + 12} 240H${x + 218}`, "#fdfaf3", 10) +
  path(`M${x} 420L${x + 230} 420L${x + 380} ${skirting}H${x + 120}Z`, "rgba(255,250,240,.2)");

/** A furnished room. */
export function scene(title: string, room: Room & { window: number | null }): string {
  const order = { wall: 0, hanging: 1, lying: 2, floor: 3 } as const;
  const pieces = room.pieces.toSorted(
    (a, b) => order[standingOf(a.piece.shape)] - order[standingOf(b.piece.shape)] || a.y - b.y,
  );
  return document(
    title,
    room.wall,
    (room.window === null ? "" : daylight(canvas.width * room.window)) +
      shell(room) +
      pieces.map((each) => standing(each, room.scale)).join(""),
  );
}

/** The middle of a placed piece in ten-thousandths of the picture: the position of a hotspot. */
export function middleOf({ piece, x, y }: Placed, scale: number): { x: number; y: number } {
  const deep = standingOf(piece.shape) === "lying" ? foreshortening : 1;
  const middle = y - (piece.height * deep * scale) / 2 / canvas.height;
  return {
    x: Math.round(x * 10_000),
    y: Math.round(Math.min(0.98, Math.max(0.02, middle)) * 10_000),
  };
}
