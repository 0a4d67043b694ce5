import { block, ellipse, path, rect, solid, stroke, times, tone, type Svg } from "./svg.ts";
import type { Draw, Paint } from "./silhouette.ts";

const leg = (
  x: number,
  top: number,
  floor: number,
  lean: number,
  thick: number,
  fill: string,
): Svg =>
  path(
    `M${x - thick} ${top}H${x + thick}L${x + lean + thick * 0.6} ${floor}H${x + lean - thick * 0.6}Z`,
    fill,
  );

/** Two legs, mirrored about the middle. */
const legs = (
  w: number,
  inset: number,
  top: number,
  floor: number,
  lean: number,
  thick: number,
  fill: string,
) => leg(inset, top, floor, -lean, thick, fill) + leg(w - inset, top, floor, lean, thick, fill);

const pillow = (x: number, y: number, size: number, turn: number, fill: string): Svg =>
  `<g transform="translate(${Math.round(x)} ${Math.round(y)}) rotate(${turn})">${block(-size / 2, -size / 2, size, size, size * 0.18, fill)}</g>`;

function sofaBody(w: number, h: number, { main, frame }: Paint, seats: number, arm: number): Svg {
  const foot = h * 0.14;
  const inner = w - 2 * arm;
  const seatTop = h * 0.5;
  const cushion = (inner - 12 * (seats - 1)) / seats;
  const spread = (draw: (x: number) => Svg) =>
    times(seats, (seat) => draw(arm + seat * (cushion + 12)));
  return [
    legs(w, arm * 0.7, h - foot - 10, h, 20, 24, frame),
    block(arm * 0.5, h * 0.06, w - arm, h * 0.7, 70, tone(main, -0.16)),
    spread((x) => block(x, h * 0.02, cushion, h * 0.56, 60, tone(main, -0.04))),
    block(arm * 0.4, h * 0.66, w - arm * 0.8, h - foot - h * 0.66, 26, tone(main, -0.12)),
    spread((x) => block(x - 4, seatTop, cushion + 8, h * 0.21, 48, tone(main, 0.08))),
    block(0, h * 0.28, arm, h - foot - h * 0.28, arm * 0.42, main),
    block(w - arm, h * 0.28, arm, h - foot - h * 0.28, arm * 0.42, main),
  ].join("");
}

export const sofa: Draw = (w, h, paint) => {
  const seats = Math.max(1, Math.round((w - 320) / 640));
  return (
    sofaBody(w, h, paint, seats, 165) +
    pillow(285, h * 0.38, 330, -8, paint.accent) +
    pillow(w - 285, h * 0.38, 330, 9, tone(paint.accent, 0.3))
  );
};

/** The chaise comes towards the viewer on the right. */
export const cornerSofa: Draw = (w, h, paint) => {
  const back = h * 0.9;
  const chaise = Math.min(w * 0.34, 960);
  const { main } = paint;
  return (
    sofaBody(w, back, paint, Math.max(2, Math.round((w - 320) / 720)), 160) +
    pillow(290, back * 0.38, 330, -8, paint.accent) +
    leg(w - chaise + 60, h - 110, h, -14, 24, paint.frame) +
    leg(w - 70, h - 110, h, 14, 24, paint.frame) +
    block(w - chaise, back * 0.5, chaise, h - 100 - back * 0.5, 56, tone(main, 0.1)) +
    block(w - chaise, back * 0.74, chaise, h - 90 - back * 0.74, 40, tone(main, -0.06)) +
    pillow(w - chaise * 0.42, back * 0.36, 340, 10, tone(paint.accent, 0.3))
  );
};

export const chesterfield: Draw = (w, h, { main, frame }) => {
  const tufts = Math.round((w - 340) / 170);
  const step = (w - 340) / tufts;
  const rows = [0.18, 0.3, 0.42];
  return [
    times(4, (foot) => ellipse(180 + ((w - 360) / 3) * foot, h - 50, 42, 50, frame)),
    block(60, 0, w - 120, h * 0.62, 90, tone(main, -0.06)),
    rows
      .map((y, row) =>
        times(tufts - (row % 2), (tuft) =>
          ellipse(170 + step * (tuft + 0.5 + (row % 2) / 2), h * y, 13, 13, tone(main, -0.4)),
        ),
      )
      .join(""),
    times(3, (seat) =>
      block(
        190 + ((w - 380) / 3) * seat,
        h * 0.52,
        (w - 380) / 3 - 8,
        h * 0.18,
        40,
        tone(main, 0.1),
      ),
    ),
    block(120, h * 0.68, w - 240, h * 0.22, 20, tone(main, -0.14)),
    block(0, h * 0.05, 210, h * 0.85, 100, main) +
      block(w - 210, h * 0.05, 210, h * 0.85, 100, main),
    ellipse(105, h * 0.17, 62, 62, tone(main, -0.2)) +
      ellipse(w - 105, h * 0.17, 62, 62, tone(main, -0.2)),
  ].join("");
};

export const armchair: Draw = (w, h, { main, frame, accent }) =>
  [
    legs(w, w * 0.2, h * 0.78, h, w * 0.05, 20, frame),
    block(w * 0.1, 0, w * 0.8, h * 0.72, w * 0.16, tone(main, -0.12)),
    block(w * 0.18, h * 0.07, w * 0.64, h * 0.52, w * 0.12, main),
    pillow(w * 0.5, h * 0.38, w * 0.38, 4, accent),
    block(w * 0.16, h * 0.54, w * 0.68, h * 0.17, 44, tone(main, 0.1)),
    block(w * 0.1, h * 0.68, w * 0.8, h * 0.14, 30, tone(main, -0.14)),
    block(0, h * 0.34, w * 0.19, h * 0.48, w * 0.09, main),
    block(w * 0.81, h * 0.34, w * 0.19, h * 0.48, w * 0.09, main),
  ].join("");

export const barrelChair: Draw = (w, h, { main, frame }) =>
  [
    rect(w * 0.3, h * 0.9, w * 0.4, h * 0.1, 12, frame),
    solid(
      `M0 ${h * 0.5}C0 ${h * 0.1} ${w * 0.2} 0 ${w / 2} 0S${w} ${h * 0.1} ${w} ${h * 0.5}V${h * 0.8}Q${w} ${h * 0.93} ${w * 0.86} ${h * 0.93}H${w * 0.14}Q0 ${h * 0.93} 0 ${h * 0.8}Z`,
      tone(main, -0.06),
    ),
    times(9, (rib) => {
      const x = w * 0.1 + w * 0.1 * rib;
      const top = h * (0.3 - 0.24 * Math.sin((Math.PI * (rib + 0.6)) / 9.2));
      return stroke(`M${x} ${top}V${h * 0.52}`, tone(main, -0.22), 8);
    }),
    block(w * 0.13, h * 0.52, w * 0.74, h * 0.2, 70, tone(main, 0.14)),
  ].join("");

/** A low chair of bare wood with loose cushions. */
export const loungeChair: Draw = (w, h, { main, frame }) =>
  [
    block(w * 0.14, 0, w * 0.72, h * 0.6, 60, main),
    stroke(`M${w * 0.14} ${h * 0.2}H${w * 0.86}`, tone(main, -0.16), 8),
    block(w * 0.12, h * 0.52, w * 0.76, h * 0.18, 44, tone(main, 0.1)),
    solid(
      `M0 ${h * 0.36}H${w * 0.15}V${h * 0.42}H${w * 0.1}L${w * 0.07} ${h}H${w * 0.01}L${w * 0.03} ${h * 0.42}H0Z`,
      frame,
    ),
    solid(
      `M${w} ${h * 0.36}H${w * 0.85}V${h * 0.42}H${w * 0.9}L${w * 0.93} ${h}H${w * 0.99}L${w * 0.97} ${h * 0.42}H${w}Z`,
      frame,
    ),
    rect(w * 0.06, h * 0.7, w * 0.88, h * 0.055, 10, tone(frame, -0.12)),
  ].join("");

export const wingChair: Draw = (w, h, { main, frame }) =>
  [
    legs(w, w * 0.18, h * 0.84, h, w * 0.03, 18, frame),
    solid(
      `M${w * 0.1} ${h * 0.5}V${h * 0.12}Q${w * 0.12} 0 ${w * 0.28} ${h * 0.02}Q${w * 0.5} -${h * 0.03} ${w * 0.72} ${h * 0.02}Q${w * 0.88} 0 ${w * 0.9} ${h * 0.12}V${h * 0.5}Z`,
      tone(main, -0.08),
    ),
    block(w * 0.22, h * 0.05, w * 0.56, h * 0.56, 60, main),
    times(6, (button) =>
      ellipse(
        w * (0.34 + 0.16 * (button % 3)),
        h * (button < 3 ? 0.18 : 0.32),
        12,
        12,
        tone(main, -0.35),
      ),
    ),
    block(w * 0.16, h * 0.57, w * 0.68, h * 0.15, 40, tone(main, 0.1)),
    block(w * 0.12, h * 0.7, w * 0.76, h * 0.16, 24, tone(main, -0.14)),
    block(0, h * 0.42, w * 0.2, h * 0.44, w * 0.09, main) +
      block(w * 0.8, h * 0.42, w * 0.2, h * 0.44, w * 0.09, main),
  ].join("");

export const rockingChair: Draw = (w, h, { main, frame }) =>
  [
    stroke(`M${w * 0.02} ${h * 0.93}Q${w * 0.5} ${h * 1.04} ${w * 0.98} ${h * 0.93}`, frame, 34),
    stroke(`M${w * 0.16} ${h * 0.03}V${h * 0.93}M${w * 0.84} ${h * 0.03}V${h * 0.93}`, frame, 38),
    times(7, (slat) =>
      stroke(`M${w * (0.24 + 0.087 * slat)} ${h * 0.08}V${h * 0.56}`, tone(frame, -0.1), 18),
    ),
    block(w * 0.12, 0, w * 0.76, h * 0.1, 30, frame),
    block(w * 0.14, h * 0.54, w * 0.72, h * 0.12, 40, main),
    stroke(`M${w * 0.03} ${h * 0.42}H${w * 0.2}M${w * 0.8} ${h * 0.42}H${w * 0.97}`, frame, 40),
  ].join("");

function chairFrame(w: number, h: number, frame: string, seat: string, back: Svg): Svg {
  const dark = tone(frame, -0.2);
  return [
    rect(w * 0.12, h * 0.5, w * 0.07, h * 0.5, 6, dark) +
      rect(w * 0.81, h * 0.5, w * 0.07, h * 0.5, 6, dark),
    rect(w * 0.14, h * 0.78, w * 0.72, h * 0.03, 4, dark),
    back,
    legs(w, w * 0.07, h * 0.52, h, w * 0.03, w * 0.045, frame),
    rect(w * 0.03, h * 0.53, w * 0.94, h * 0.06, 10, frame),
    block(w * 0.01, h * 0.475, w * 0.98, h * 0.075, 28, seat),
  ].join("");
}

export const diningChair: Draw = (w, h, { main, frame }) =>
  chairFrame(
    w,
    h,
    frame,
    main,
    rect(w * 0.1, h * 0.02, w * 0.07, h * 0.52, 8, frame) +
      rect(w * 0.83, h * 0.02, w * 0.07, h * 0.52, 8, frame) +
      block(w * 0.08, 0, w * 0.84, h * 0.38, 60, main),
  );

export const caneChair: Draw = (w, h, { main, frame }) => {
  const [x, y, bw, bh] = [w * 0.15, h * 0.05, w * 0.7, h * 0.3];
  const weave = times(9, (line) => {
    const at = (line + 1) / 10;
    return `M${x + bw * at} ${y}V${y + bh}M${x} ${y + bh * at}H${x + bw}M${x} ${y + bh * at}L${x + bw * at} ${y}M${x + bw * at} ${y + bh}L${x + bw} ${y + bh * at}`;
  });
  return chairFrame(
    w,
    h,
    frame,
    main,
    block(w * 0.08, 0, w * 0.84, h * 0.4, 70, frame) +
      rect(x, y, bw, bh, 40, "#ead9b5") +
      stroke(weave, "#c9ae7c", 5) +
      rect(w * 0.1, h * 0.36, w * 0.07, h * 0.18, 4, frame) +
      rect(w * 0.83, h * 0.36, w * 0.07, h * 0.18, 4, frame),
  );
};

export const spindleChair: Draw = (w, h, { main, frame }) =>
  chairFrame(
    w,
    h,
    frame,
    main,
    times(7, (spindle) =>
      stroke(`M${w * (0.2 + 0.1 * spindle)} ${h * 0.06}V${h * 0.5}`, tone(frame, -0.08), 15),
    ) +
      stroke(
        `M${w * 0.09} ${h * 0.06}L${w * 0.12} ${h * 0.52}M${w * 0.91} ${h * 0.06}L${w * 0.88} ${h * 0.52}`,
        frame,
        30,
      ) +
      solid(
        `M${w * 0.02} ${h * 0.1}Q${w * 0.5} -${h * 0.05} ${w * 0.98} ${h * 0.1}L${w * 0.97} ${h * 0.16}Q${w * 0.5} ${h * 0.03} ${w * 0.03} ${h * 0.16}Z`,
        frame,
      ),
  );

export const barStool: Draw = (w, h, { main, frame }) =>
  [
    legs(w, w * 0.2, h * 0.3, h, w * 0.16, 20, frame),
    legs(w, w * 0.38, h * 0.3, h * 0.97, w * 0.06, 16, tone(frame, -0.2)),
    rect(w * 0.1, h * 0.76, w * 0.8, 22, 10, tone(frame, 0.1)),
    block(w * 0.1, 0, w * 0.8, h * 0.2, 60, tone(main, -0.06)),
    block(w * 0.06, h * 0.24, w * 0.88, h * 0.09, 40, main),
  ].join("");

export const bench: Draw = (w, h, { main, frame }) =>
  [
    legs(w, w * 0.1, h * 0.4, h, w * 0.03, 26, frame),
    rect(w * 0.05, h * 0.36, w * 0.9, h * 0.14, 10, frame),
    block(w * 0.01, 0, w * 0.98, h * 0.38, 60, main),
    times(3, (seam) => stroke(`M${w * 0.25 * (seam + 1)} 20V${h * 0.34}`, tone(main, -0.15), 6)),
  ].join("");

export const pouf: Draw = (w, h, { main, accent }) =>
  solid(
    `M${w * 0.16} 0H${w * 0.84}Q${w} 0 ${w} ${h * 0.5}T${w * 0.84} ${h}H${w * 0.16}Q0 ${h} 0 ${h * 0.5}T${w * 0.16} 0Z`,
    main,
  ) +
  times(4, (band) =>
    stroke(
      `M${w * 0.03} ${h * (0.2 + 0.2 * band)}Q${w * 0.5} ${h * (0.28 + 0.2 * band)} ${w * 0.97} ${h * (0.2 + 0.2 * band)}`,
      band % 2 ? tone(main, -0.18) : accent,
      12,
    ),
  );

export const officeChair: Draw = (w, h, { main, frame }) =>
  [
    stroke(`M${w * 0.5} ${h * 0.6}V${h * 0.88}`, "#8a8d91", 44),
    stroke(
      `M${w * 0.12} ${h * 0.95}L${w * 0.5} ${h * 0.86}L${w * 0.88} ${h * 0.95}M${w * 0.5} ${h * 0.86}V${h * 0.95}`,
      frame,
      34,
    ),
    [0.12, 0.5, 0.88].map((x) => ellipse(w * x, h * 0.97, 30, 30, "#3a3a3c")).join(""),
    block(w * 0.16, 0, w * 0.68, h * 0.46, 80, main),
    times(5, (line) =>
      stroke(`M${w * 0.22} ${h * (0.08 + 0.07 * line)}H${w * 0.78}`, tone(main, -0.12), 7),
    ),
    stroke(
      `M${w * 0.1} ${h * 0.56}V${h * 0.38}H${w * 0.02}M${w * 0.9} ${h * 0.56}V${h * 0.38}H${w * 0.98}`,
      frame,
      34,
    ),
    block(w * 0.1, h * 0.52, w * 0.8, h * 0.1, 50, tone(main, 0.08)),
  ].join("");
