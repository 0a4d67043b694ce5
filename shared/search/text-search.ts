import type { Meaning } from "./looks.ts";
import { addBit, emptyBits, hasBit, type Bits } from "./bits.ts";
import type { CatalogIndex } from "./catalog-index.ts";
import { namesKind, parsedQuery, type Reading, type Slot } from "./parsed-query.ts";
import { shippedSynonyms, type Synonyms } from "./synonyms.ts";
import { fieldScores, inKind, inNoun, outsideBody } from "./text-fields.ts";

/** How well the best cards match a query: `all` words, only some of them (`partial`), or `none`. */
export type MatchLevel = "all" | "partial" | "none";

export interface TextMatch {
  docs: Bits;
  /** The rank of each document's score, from 1 to `highestLevel`; documents of one level match equally well. */
  levels: Uint16Array<ArrayBuffer>;
  match: MatchLevel;
  /** What each part of the query may mean. */
  meanings: readonly (readonly Meaning[])[];
}

/** The number of levels into which scores are divided. Cards of one level are ordered by popularity. */
export const highestLevel = 100;

/** The factors by which the head of a query counts more in cards of its kind, and less in other cards. */
const headInKind = 2;
const headInNoun = 1.5;
const headElsewhere = 0.5;
/** A card that lacks some words is listed if its score is at least this fraction of the best score. */
const partialFrom = 0.4;
const soldOut = 0.85;
/**
 * Added before a level is rounded down. Scores are sums of 32-bit numbers, so a score on the boundary of a level may be
 * slightly too low.
 */
const rounding = 1e-3;

/** The cards that may be found, and the synonyms to use. */
export interface SearchScope {
  /** The documents to choose from. */
  within: Bits;
  soldOut: Bits;
  synonyms?: Synonyms | undefined;
}

/**
 * The cards that match every word of a query or, if there are none, those that match best. The head of the query, such
 * as "lamp" in "lamp for a bed", decides what kind of item is meant.
 */
export function searchText(index: CatalogIndex, query: string, scope: SearchScope): TextMatch {
  const slots = parsedQuery(index, query, scope.synonyms ?? shippedSynonyms());
  const head = headOf(slots);
  const scratch = scratchOf(index);
  const all = cardsWithAll(scratch, slots, head, scope.within);
  if (!all) for (const slot of slots) score(scratch, slot, { isHead: slot === head, matching: 0 });
  const found = ranked(
    scratch,
    all ? { least: slots.length, from: 0 } : { least: 1, from: partialFrom },
    scope,
  );
  clear(scratch);
  const meanings = slots.map(({ readings }) => readings);
  return { ...found, meanings, match: all ? "all" : found.isSome ? "partial" : "none" };
}

/**
 * Scores the cards that match every slot. Returns false if there are none, or if none is of the kind that the query
 * names although the shop has such cards. The cards that match best are listed then.
 */
function cardsWithAll(
  scratch: Scratch,
  slots: readonly Slot[],
  head: Slot | undefined,
  within: Bits,
): boolean {
  const { found, matched, ofKind } = scratch;
  // The rarest slot comes first: cards that do not match it need no score for the other slots.
  slots
    .toSorted((one, other) => one.frequency - other.frequency)
    .forEach((slot, matching) => score(scratch, slot, { isHead: slot === head, matching }));
  let [isSome, isOfKind] = [false, head === undefined];
  for (let at = 0; at < scratch.founds && !(isSome && isOfKind); at += 1) {
    const doc = found[at]!;
    if (matched[doc] !== slots.length || !hasBit(within, doc)) continue;
    isSome = true;
    isOfKind ||= ofKind[doc] === 1;
  }
  if (isSome && (isOfKind || !hasKind(head, within))) return true;
  clear(scratch);
  return false;
}

const hasKind = (head: Slot | undefined, within: Bits): boolean =>
  head !== undefined &&
  head.readings.some((reading) => namesKind(reading, (doc) => hasBit(within, doc)));

/**
 * What a search notes about documents. It is reused by the searches of an index, because allocating it would take longer
 * than most searches.
 */
interface Scratch {
  readonly size: number;
  /** Documents that match some slot, and their number. */
  readonly found: Uint32Array<ArrayBuffer>;
  founds: number;
  readonly scores: Float32Array<ArrayBuffer>;
  /** The number of slots that each document matches. */
  readonly matched: Uint8Array<ArrayBuffer>;
  /** 1 for documents of the kind that the query's head names. */
  readonly ofKind: Uint8Array<ArrayBuffer>;
  /** Of the current slot: its documents, their number, each one's best score, and the bits of its kind fields. */
  readonly touched: Uint32Array<ArrayBuffer>;
  touches: number;
  readonly best: Float32Array<ArrayBuffer>;
  readonly kind: Uint8Array<ArrayBuffer>;
}

const scratches = new WeakMap<CatalogIndex, Scratch>();

function scratchOf(index: CatalogIndex): Scratch {
  const { size } = index;
  const known = scratches.get(index);
  if (known !== undefined) return known;
  const scratch: Scratch = {
    size,
    found: new Uint32Array(size),
    founds: 0,
    scores: new Float32Array(size),
    matched: new Uint8Array(size),
    ofKind: new Uint8Array(size),
    touched: new Uint32Array(size),
    touches: 0,
    best: new Float32Array(size),
    kind: new Uint8Array(size),
  };
  scratches.set(index, scratch);
  return scratch;
}

function clear(scratch: Scratch): void {
  const { found, scores, matched, ofKind } = scratch;
  for (let at = 0; at < scratch.founds; at += 1) {
    const doc = found[at]!;
    scores[doc] = 0;
    matched[doc] = 0;
    ofKind[doc] = 0;
  }
  scratch.founds = 0;
}

/** The last slot that names a kind and follows no preposition, or else the last slot that names a kind. */
const headOf = (slots: readonly Slot[]): Slot | undefined =>
  slots.findLast(({ isKind, isQualifier }) => isKind && !isQualifier) ??
  slots.findLast(({ isKind }) => isKind);

const headFactor = (fields: number): number =>
  (fields & inKind) !== 0 ? headInKind : fields !== 0 ? headInNoun : headElsewhere;

interface SlotRole {
  readonly isHead: boolean;
  /** Only documents that have matched this many slots count. */
  readonly matching: number;
}

/** Adds a slot to the scores of its documents, weighted by how rare it is. */
function score(scratch: Scratch, { readings, frequency }: Slot, role: SlotRole): void {
  for (const reading of readings) collect(scratch, reading, role.matching);
  const { size, touched, touches, best, kind, scores, matched, ofKind, found } = scratch;
  const common = Math.min(frequency, size);
  const rarity = 0.5 + Math.log(1 + (size - common + 0.5) / (common + 0.5));
  for (let at = 0; at < touches; at += 1) {
    const doc = touched[at]!;
    if (matched[doc] === 0) {
      found[scratch.founds] = doc;
      scratch.founds += 1;
    }
    scores[doc]! += rarity * best[doc]! * (role.isHead ? headFactor(kind[doc]!) : 1);
    matched[doc]! += 1;
    if (role.isHead && kind[doc] !== 0) ofKind[doc] = 1;
    best[doc] = 0;
    kind[doc] = 0;
  }
  scratch.touches = 0;
}

/** Notes each document's best score in the current slot. */
function collect(scratch: Scratch, reading: Reading, matching: number): void {
  const { terms, closeness } = reading;
  const { matched } = scratch;
  if (terms.length > 1) {
    eachPhraseDoc(reading, (doc, score, fields) => {
      if (matched[doc]! >= matching) note(scratch, doc, closeness * score, fields);
    });
    return;
  }
  for (const { segment, start, row } of terms[0] ?? []) {
    const { offsets, docs, fields } = segment.text;
    const end = offsets[row + 1]!;
    for (let at = offsets[row]!; at < end; at += 1) {
      const doc = start + docs[at]!;
      if (matched[doc]! < matching) continue;
      const bits = fields[at]!;
      note(scratch, doc, closeness * fieldScores[bits]!, bits);
    }
  }
}

function note(scratch: Scratch, doc: number, score: number, fields: number): void {
  const { best, kind } = scratch;
  const before = best[doc]!;
  if (before === 0) {
    scratch.touched[scratch.touches] = doc;
    scratch.touches += 1;
  }
  if (score > before) best[doc] = score;
  kind[doc]! |= fields & (inKind | inNoun);
}

/**
 * The documents that contain all terms of a phrase, with the score of the weakest term and the fields of the last term.
 */
function eachPhraseDoc(
  { terms, isBodyEnough }: Reading,
  visit: (doc: number, score: number, fields: number) => void,
): void {
  for (const first of terms[0] ?? []) {
    const { segment, start } = first;
    const { docs, fields, offsets } = segment.text;
    const rows = terms.map((term) => term.find((docs) => docs.segment === segment)?.row);
    if (rows.includes(undefined)) continue;
    const positions = rows.map((row) => offsets[row!]!);
    const ends = rows.map((row) => offsets[row! + 1]!);
    for (; positions[0]! < ends[0]!; positions[0]! += 1) {
      const doc = docs[positions[0]!]!;
      let score = Infinity;
      for (let term = 0; term < rows.length && score > 0; term += 1) {
        let at = positions[term]!;
        while (at < ends[term]! && docs[at]! < doc) at += 1;
        positions[term] = at;
        const bits = at < ends[term]! && docs[at] === doc ? fields[at]! : 0;
        const isHere = isBodyEnough ? bits !== 0 : (bits & outsideBody) !== 0;
        score = isHere ? Math.min(score, fieldScores[bits]!) : 0;
      }
      if (score > 0) visit(start + doc, score, fields[positions.at(-1)!]!);
    }
  }
}

/**
 * The documents that match at least `least` slots and whose score is at least the fraction `from` of the best score,
 * with their levels.
 */
function ranked(
  { size, found, founds, scores, matched }: Scratch,
  { least, from }: { least: number; from: number },
  { within, soldOut: isSoldOut }: SearchScope,
): Pick<TextMatch, "docs" | "levels"> & { isSome: boolean } {
  let best = 0;
  for (let at = 0; at < founds; at += 1) {
    const doc = found[at]!;
    if (matched[doc]! < least || !hasBit(within, doc)) {
      scores[doc] = 0;
      continue;
    }
    if (hasBit(isSoldOut, doc)) scores[doc]! *= soldOut;
    best = Math.max(best, scores[doc]!);
  }
  const worst = best * from;
  const docs = emptyBits(size);
  const levels = new Uint16Array(size);
  for (let at = 0; at < founds; at += 1) {
    const doc = found[at]!;
    const score = scores[doc]!;
    if (score === 0 || score < worst) continue;
    addBit(docs, doc);
    levels[doc] = Math.max(1, Math.floor((score / best) * highestLevel + rounding));
  }
  return { docs, levels, isSome: best > 0 };
}
