import type { Meaning } from "./looks.ts";
import { addBit, emptyBits, hasBit, removeBit, type Bits } from "./bits.ts";
import type { CatalogIndex } from "./catalog-index.ts";
import { namesKindOf, parsedSearch, type Reading, type Slot } from "./parsed-query.ts";
import { shippedSynonyms, type Synonyms } from "./synonyms.ts";
import { eachDoc, eachPhraseDoc, eachTermDoc } from "./reading-docs.ts";
import { fieldScores, inContext, inKind, inName, inNoun } from "./text-fields.ts";

/** How well the best cards match a query: `all` words, only some of them (`partial`), or `none`. */
export type MatchLevel = "all" | "partial" | "none";

export interface TextMatch {
  docs: Bits;
  /** The rank of each document's score, from 1 to `highestLevel`; documents of one level match equally well. */
  levels: Uint16Array<ArrayBuffer>;
  match: MatchLevel;
  /** Whether the query names a kind of item that the shop sells. */
  namesKind: boolean;
  /** What each part of the query may mean. */
  meanings: readonly (readonly Meaning[])[];
}

/** The number of levels into which scores are divided. Cards of one level are ordered by popularity. */
export const highestLevel = 100;

/** The factors by which the head of a query counts more in cards of its kind, and less in other cards. */
const headInKind = 2;
const headInNoun = 1.5;
const headElsewhere = 0.5;
/** The factor for a card that says that it lacks what the query negates. */
const saysSo = 1.25;
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
 * as "lamp" in "lamp for a bed", decides what kind of item is meant. Cards with a negated word, such as "arms" in "chair
 * without arms", are left out unless they are all there is.
 */
export function searchText(index: CatalogIndex, query: string, scope: SearchScope): TextMatch {
  const slots = parsedSearch(index, query, scope.synonyms ?? shippedSynonyms());
  const [wanted, unwanted] = [slots.filter((slot) => !slot.isNegated), slots.filter(isNegated)];
  if (unwanted.length === 0 || wanted.length === 0) return bestCards(index, slots, scope);
  const within = scope.within.slice();
  // A bed may stand for its headboard, but a buyer of a bed without a headboard wants a bed.
  const phrases = new Set(readingsOf(wanted).map(phraseOf));
  for (const reading of readingsOf(unwanted)) {
    if (!phrases.has(phraseOf(reading))) eachDoc(reading, (doc) => removeBit(within, doc));
  }
  const found = bestCards(index, wanted, { ...scope, within }, unwanted);
  if (found.match === "all") return found;
  const wider = bestCards(index, wanted, scope);
  return wider.match === "all" ? { ...wider, match: "partial" } : found;
}

const isNegated = (slot: Slot): boolean => slot.isNegated;
const readingsOf = (slots: readonly Slot[]): Reading[] => slots.flatMap(({ readings }) => readings);
const phraseOf = ({ words }: Reading): string => words.join(" ");

function bestCards(
  index: CatalogIndex,
  slots: readonly Slot[],
  scope: SearchScope,
  unwanted: readonly Slot[] = [],
): TextMatch {
  const head = headOf(slots);
  const scratch = scratchOf(index);
  const all = cardsWithAll(scratch, slots, head, scope.within);
  if (!all) for (const slot of slots) score(scratch, slot, { isHead: slot === head, matching: 0 });
  for (const { lacking } of unwanted) {
    eachTermDoc(lacking, (doc) => (scratch.scores[doc]! *= saysSo));
  }
  const found = ranked(
    scratch,
    all
      ? { least: slots.length, from: 0, isKindNeeded: head !== undefined && all.isOfKind }
      : { least: 1, from: partialFrom, isKindNeeded: false },
    scope,
  );
  clear(scratch);
  const meanings = slots.map(({ readings }) => readings);
  const namesKind = head !== undefined;
  return { ...found, namesKind, meanings, match: all ? "all" : found.isSome ? "partial" : "none" };
}

/**
 * Scores the cards that match every slot. Returns undefined if there are none, or if none is of the kind that the query
 * names although the shop has such cards. The cards that match best are listed then.
 */
function cardsWithAll(
  scratch: Scratch,
  slots: readonly Slot[],
  head: Slot | undefined,
  within: Bits,
): { isOfKind: boolean } | undefined {
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
    isOfKind ||= (ofKind[doc]! & kindFields) !== 0;
  }
  if (isSome && (isOfKind || !hasKind(head, within))) return { isOfKind };
  clear(scratch);
  return undefined;
}

const hasKind = (head: Slot | undefined, within: Bits): boolean =>
  head !== undefined &&
  head.readings.some((reading) => namesKindOf(reading, (doc) => hasBit(within, doc)));

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
  /** The bits of the fields, among those that say what an item is, in which documents have the query's head. */
  readonly ofKind: Uint8Array<ArrayBuffer>;
  /** Of the current slot: its documents, their number, each one's best score, and the bits as in `ofKind`. */
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

/** The fields that say what kind of item a card is. */
const kindFields = inKind | inNoun;
/** The fields that place a card among others; a card that has the head in none of them only mentions it. */
const placingFields = kindFields | inName | inContext;

const headFactor = (fields: number): number =>
  (fields & inKind) !== 0 ? headInKind : (fields & kindFields) !== 0 ? headInNoun : headElsewhere;

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
    if (role.isHead) ofKind[doc] = kind[doc]!;
    best[doc] = 0;
    kind[doc] = 0;
  }
  scratch.touches = 0;
}

/** Notes each document's best score in the current slot. */
function collect(scratch: Scratch, reading: Reading, matching: number): void {
  const { terms, closeness, fields: among } = reading;
  const { matched } = scratch;
  if (terms.length > 1) {
    eachPhraseDoc(
      reading,
      (doc, score, fields) => note(scratch, doc, closeness * score, fields),
      (doc) => matched[doc]! >= matching,
    );
    return;
  }
  for (const { segment, start, row } of terms[0] ?? []) {
    const { offsets, docs, fields } = segment.text;
    const end = offsets[row + 1]!;
    for (let at = offsets[row]!; at < end; at += 1) {
      const doc = start + docs[at]!;
      if (matched[doc]! < matching) continue;
      const bits = fields[at]! & among;
      if (bits !== 0) note(scratch, doc, closeness * fieldScores[bits]!, bits);
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
  kind[doc]! |= fields & placingFields;
}

/** Which of the documents that a search has found count. */
interface Demand {
  /** How many slots a document must match. */
  readonly least: number;
  /** Its score must be at least this fraction of the best score. */
  readonly from: number;
  /** Whether a document that only mentions the query's head is left out. */
  readonly isKindNeeded: boolean;
}

/** The documents that meet the demand, with their levels. */
function ranked(
  { size, found, founds, scores, matched, ofKind }: Scratch,
  { least, from, isKindNeeded }: Demand,
  { within, soldOut: isSoldOut }: SearchScope,
): Pick<TextMatch, "docs" | "levels"> & { isSome: boolean } {
  let best = 0;
  for (let at = 0; at < founds; at += 1) {
    const doc = found[at]!;
    const isMention = isKindNeeded && ofKind[doc] === 0;
    if (isMention || matched[doc]! < least || !hasBit(within, doc)) {
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
