import { escaped } from "./pictures/svg.ts";

/** HTML of a paragraph with a list of points below it. */
export function paragraphs(text: string, points: readonly string[] = []): string {
  const list = points.map((point) => `<li>${escaped(point)}</li>`).join("");
  return `<p>${escaped(text)}</p>${list ? `<ul>${list}</ul>` : ""}`;
}
