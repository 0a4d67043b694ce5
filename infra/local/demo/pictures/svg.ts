/** SVG markup. */
export type Svg = string;

const whole = (value: number) => String(Math.round(value));
const numbers = (path: string) => path.replaceAll(/-?\d+\.\d+/g, (value) => whole(Number(value)));

export const rect = (x: number, y: number, w: number, h: number, r: number, fill: string): Svg =>
  `<rect x="${whole(x)}" y="${whole(y)}" width="${whole(w)}" height="${whole(h)}"${r > 0 ? ` rx="${whole(r)}"` : ""} fill="${fill}"/>`;

export const path = (d: string, fill: string): Svg => `<path d="${numbers(d)}" fill="${fill}"/>`;

export const stroke = (d: string, color: string, width: number): Svg =>
  `<path d="${numbers(d)}" fill="none" stroke="${color}" stroke-width="${whole(width)}" stroke-linecap="round" stroke-linejoin="round"/>`;

export const ellipse = (cx: number, cy: number, rx: number, ry: number, fill: string): Svg =>
  `<ellipse cx="${whole(cx)}" cy="${whole(cy)}" rx="${whole(rx)}" ry="${whole(ry)}" fill="${fill}"/>`;

/** A rounded block with light from above, for upholstered or thick parts. */
export const block = (x: number, y: number, w: number, h: number, r: number, fill: string): Svg =>
  rect(x, y, w, h, r, fill) + rect(x, y, w, h, r, "url(#lit)");

/** Any outline with light from above. */
export const solid = (d: string, fill: string): Svg => path(d, fill) + path(d, "url(#lit)");

/** Draws `count` pieces; `draw` receives the index. */
export const times = (count: number, draw: (index: number) => Svg): Svg =>
  Array.from({ length: count }, (_, index) => draw(index)).join("");

export const group = (transform: string, body: Svg): Svg =>
  `<g transform="${transform}">${body}</g>`;

/** Mixes a colour with white (`by` above 0) or black (below), up to 1. */
export function tone(hex: string, by: number): string {
  const target = by > 0 ? 255 : 0;
  const part = (from: number) => {
    const channel = Number.parseInt(hex.slice(from, from + 2), 16);
    const mixed = Math.round(channel + (target - channel) * Math.abs(by));
    return mixed.toString(16).padStart(2, "0");
  };
  return `#${part(1)}${part(3)}${part(5)}`;
}

export const canvas = { width: 1200, height: 900 } as const;

const gradient = (id: string, from: string, to: string) =>
  `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

/** A complete picture; screen readers read its `title`. */
export function document(title: string, wall: string, body: Svg): string {
  const lit = `<linearGradient id="lit" x2="0" y2="1"><stop stop-color="#fff" stop-opacity=".22"/><stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".18"/></linearGradient>`;
  const glow = `<radialGradient id="glow"><stop stop-color="#ffe9b0" stop-opacity=".85"/><stop offset="1" stop-color="#ffe9b0" stop-opacity="0"/></radialGradient>`;
  const shade = `<radialGradient id="shade"><stop stop-color="#2b1d10" stop-opacity=".38"/><stop offset="1" stop-color="#2b1d10" stop-opacity="0"/></radialGradient>`;
  const { width, height } = canvas;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"><title>${escaped(title)}</title><defs>${gradient("wall", tone(wall, 0.35), wall)}${lit}${glow}${shade}</defs><rect width="${width}" height="${height}" fill="url(#wall)"/>${body}</svg>`;
}

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
