import type { Font } from "fontkit";
import type { PrintedDocument } from "./printed-document.ts";

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Spaces, line ends and joiners, which have no picture of their own. */
const invisible = /[\p{Z}\p{C}\uFE00-\uFE0F]/u;

/** The letters of a document that a font has no picture of, each once. They are drawn as boxes. */
export function unprintable(document: PrintedDocument, font: Font): string[] {
  const letters = new Set(textsIn(document).flatMap((text) => Array.from(text)));
  return [...letters].filter(
    (letter) => !invisible.test(letter) && !font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0),
  );
}

/** The document with a note for its reader, if some of its letters are drawn as boxes. */
export const explaining = (
  document: PrintedDocument,
  letters: readonly string[],
): PrintedDocument =>
  letters.length === 0
    ? document
    : {
        ...document,
        notes: [...document.notes, "Some letters cannot be printed here and appear as boxes."],
      };
