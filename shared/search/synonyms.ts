import { memoized } from "../domain/base/memoize.ts";
import { furnitureBroader, furnitureSynonyms } from "./furniture-synonyms.ts";
import { canonicalWords, joins } from "./words.ts";

/** Another way to say a word or phrase. */
export interface Synonym {
  readonly words: readonly string[];
  /** 1 is the word itself. */
  readonly closeness: number;
}

export interface Synonyms {
  /** By word or phrase, see `synonymsFor`. */
  readonly byPhrase: ReadonlyMap<string, readonly Synonym[]>;
  readonly standIns: ReadonlyMap<string, string>;
  /**
   * The words of each phrase, keyed by the phrase written as one word. Misspelled words are compared with these keys.
   */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
  /** Every word of every phrase. */
  readonly vocabulary: ReadonlySet<string>;
}

/** The longest phrase that is looked up, in words. */
export const longestPhrase = 4;

const sameMeaning = 0.7;
const partOfMeaning = 0.6;

const shipped = memoized(() => synonymsOf([]));

/** The synonyms of a shop that has added none. */
export const shippedSynonyms = (): Synonyms => shipped();

/**
 * The furniture synonyms of every shop and the sets of this shop. A set of one phrase removes that phrase from the
 * shipped sets.
 */
export function synonymsOf(sets: readonly (readonly string[])[]): Synonyms {
  const canonical = (phrases: readonly string[]) => phrases.map(canonicalPhrase);
  const own = sets.map(canonical);
  const removed = new Set(own.filter(({ length }) => length === 1).flat());
  const kept = (phrases: readonly string[]) => phrases.filter((phrase) => !removed.has(phrase));
  const alike = [...furnitureSynonyms.map(canonical).map(kept), ...own];
  const standIns = standInsOf(alike);
  const byPhrase = new Map<string, Map<string, Synonym>>();
  const add = (phrase: string, synonym: string, closeness: number) => {
    if (phrase === synonym || phrase === "" || synonym === "") return;
    const key = phraseKey(phrase.split(" "), standIns);
    const known = byPhrase.get(key) ?? new Map<string, Synonym>();
    byPhrase.set(key, known);
    const before = known.get(synonym)?.closeness ?? 0;
    if (before < closeness) known.set(synonym, { words: synonym.split(" "), closeness });
  };
  for (const set of alike) {
    for (const phrase of set) for (const other of set) add(phrase, other, sameMeaning);
  }
  for (const [general, ...members] of furnitureBroader.map(canonical).map(kept)) {
    if (general === undefined) continue;
    const alsoGeneral = alike.filter((set) => set.includes(general)).flat();
    for (const phrase of new Set([general, ...alsoGeneral])) {
      for (const member of members) add(phrase, member, partOfMeaning);
    }
  }
  return {
    byPhrase: new Map(
      Array.from(byPhrase, ([phrase, synonyms]) => [phrase, [...synonyms.values()]]),
    ),
    spellings: new Map(
      Array.from(byPhrase.keys(), (phrase) => [phrase.replaceAll(" ", ""), phrase.split(" ")]),
    ),
    vocabulary: new Set(alike.flat().flatMap((phrase) => phrase.split(" "))),
    standIns,
  };
}

/** For each word with synonyms, the first word of its first set: within phrases, "couch" is read as "sofa". */
function standInsOf(sets: readonly (readonly string[])[]): Map<string, string> {
  const standIns = new Map<string, string>();
  for (const set of sets) {
    const words = set.filter((phrase) => phrase !== "" && !phrase.includes(" "));
    const first = words.find((word) => !standIns.has(word)) ?? "";
    for (const word of words) if (!standIns.has(word)) standIns.set(word, first);
  }
  return standIns;
}

/** The synonyms of a word or phrase. */
export const synonymsFor = (
  words: readonly string[],
  { byPhrase, standIns }: Synonyms,
): readonly Synonym[] | undefined => byPhrase.get(phraseKey(words, standIns));

const phraseKey = (words: readonly string[], standIns: ReadonlyMap<string, string>): string =>
  words.length === 1 ? words[0]! : words.map((word) => standIns.get(word) ?? word).join(" ");

/** The canonical words of a phrase; a number or a single letter is joined to the next word, as in queries. */
function canonicalPhrase(phrase: string): string {
  const words = canonicalWords(phrase).map(({ text }) => text);
  const joined: string[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    if (before !== undefined && joins(before, word)) joined[joined.length - 1] = before + word;
    else joined.push(word);
  }
  return joined.join(" ");
}
