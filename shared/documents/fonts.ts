import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Font, create } from "fontkit";

export interface Fonts {
  readonly regular: Font;
  readonly bold: Font;
}

/** Mukta contains Latin and Devanagari letters, so one font suffices for every text. */
const files = {
  regular: "@expo-google-fonts/mukta/400Regular/Mukta_400Regular.ttf",
  bold: "@expo-google-fonts/mukta/600SemiBold/Mukta_600SemiBold.ttf",
};

let opened: Fonts | undefined;

/** The fonts, opened once: opening them takes longer than drawing a document. */
export const openFonts = (): Fonts =>
  (opened ??= { regular: open(files.regular), bold: open(files.bold) });

function open(file: string): Font {
  // Lambda and npm scripts both start in the folder that contains `node_modules`.
  const { resolve } = createRequire(join(process.cwd(), "index.js"));
  const font = create(readFileSync(resolve(file)));
  if (!("layout" in font)) throw new TypeError(`${file} contains several fonts`);
  return font;
}
