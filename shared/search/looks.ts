import type { Picture } from "#shared/domain/base/picture.ts";
import type { Card, Look } from "#shared/domain/catalog/card.ts";
import { shownSwatches } from "#shared/domain/catalog/product-card.ts";
import { remembered } from "./remembered.ts";
import { termsOf } from "./words.ts";

/**
 * A look as it is stored. Of the picture's address and alternative text, only what differs from the card's picture is
 * stored, because they begin alike. If the card shows the swatch, only its code is stored.
 */
type StoredLook = readonly [
  words: string,
  picture: PackedPicture | null,
  swatch: string | Look["swatch"],
];

export type PackedPicture = readonly [url: Tail, alt: Tail, width: number, height: number];

/**
 * The number of characters to cut from the end of the card's text, and what follows there. A text that begins otherwise
 * is stored whole. So a look stays complete when addresses become URLs: only their common beginning changes.
 */
type Tail = string | readonly [cut: number, rest: string];

/**
 * The members of a card from which its looks are completed. Rows of the staff index have neither swatches nor looks.
 */
export interface ShownCard {
  readonly image?: Picture | null;
  readonly swatches?: readonly Look["swatch"][];
}

/** The looks of a card as JSON. */
export function storedLooks(looks: readonly Look[], { image: own, swatches }: ShownCard): string {
  const shown = new Set(swatches?.map(({ code }) => code));
  const stored = looks.map(({ words, swatch, image }): StoredLook => {
    return [
      words,
      image && storedPicture(image, own),
      shown.has(swatch.code) ? swatch.code : swatch,
    ];
  });
  return JSON.stringify(stored);
}

/** A word or phrase that a query may mean, see `Reading`. */
export interface Meaning {
  readonly words: readonly string[];
  readonly closeness: number;
}

/**
 * The look that a query names; undefined if it names none, or every look equally.
 *
 * @param slots what each part of the query may mean
 */
export function namedLook(
  stored: string,
  slots: readonly (readonly Meaning[])[],
): StoredLook | undefined {
  const looks = looksOf(stored);
  const scores = looks.map(([words]) => scoreOf(termsOfLook(words), slots));
  const best = Math.max(0, ...scores);
  return scores.every((score) => score === best) ? undefined : looks[scores.indexOf(best)];
}

/** The look with this swatch; undefined if the card has none. */
export const lookWithSwatch = (stored: string, swatch: string): StoredLook | undefined =>
  looksOf(stored).find((look) => swatchOf(look) === swatch);

/** Only `storedLooks` writes these texts, so they need no validation. */
const looksOf = (stored: string): StoredLook[] =>
  stored === "[]" ? [] : (JSON.parse(stored) as StoredLook[]);

/** The code of the look's swatch. */
export const swatchOf = ([, , named]: StoredLook): string =>
  typeof named === "string" ? named : named.code;

/** The card with the look's swatch first, and with its picture. */
export function inLook(card: Card, look: StoredLook): Card {
  const [, picture, named] = look;
  const code = swatchOf(look);
  const own =
    typeof named === "string" ? card.swatches.filter((one) => one.code === code) : [named];
  const others = card.swatches.filter((one) => one.code !== code);
  return {
    ...card,
    image: picture ? pictureOf(picture, card.image) : card.image,
    swatches: [...own, ...others].slice(0, shownSwatches),
  };
}

const scoreOf = (terms: ReadonlySet<string>, slots: readonly (readonly Meaning[])[]): number =>
  slots.reduce((sum, meanings) => {
    const fitting = meanings.filter(({ words }) => words.every((word) => terms.has(word)));
    return sum + Math.max(0, ...fitting.map(({ closeness }) => closeness));
  }, 0);

/** The terms of a look's words, memoized: a shop's looks have few different words, and every page needs them. */
const termsOfLook = remembered(termsOf);

/** A picture in terms of the card's own. */
export const storedPicture = (image: Picture, own: Picture | null | undefined): PackedPicture => [
  tail(image.url, own?.url),
  tail(image.alt, own?.alt),
  image.width,
  image.height,
];

function tail(text: string, start = ""): Tail {
  let common = 0;
  while (common < text.length && text[common] === start[common]) common += 1;
  return common === 0 ? text : [start.length - common, text.slice(common)];
}

export function pictureOf([url, alt, width, height]: PackedPicture, own: Picture | null): Picture {
  return { url: whole(url, own?.url), alt: whole(alt, own?.alt), width, height };
}

const whole = (tail: Tail, start = ""): string =>
  typeof tail === "string" ? tail : start.slice(0, start.length - tail[0]) + tail[1];
