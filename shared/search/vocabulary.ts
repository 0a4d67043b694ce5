import { ColorGroup } from "../domain/catalog/material.ts";

/** Words that only connect others. They are neither indexed nor searched. */
const connecting =
  "a an and as at by from i in into is it its my of on or our that the this to under with without your for";

/** Words that say nothing about a piece of furniture. */
const empty =
  "size sized style styled type kind buy need want show me piece furniture please best good nice great some when all can be set";

export const stopWords: ReadonlySet<string> = new Set(`${connecting} ${empty}`.split(" "));

/** What follows one of these only qualifies what stands before it. */
export const prepositions: ReadonlySet<string> = new Set(
  "at by for from in of on to under with without".split(" "),
);

/** Units that are left out after a number: "135 cm" is read as 135. */
export const unitWords: ReadonlySet<string> = new Set(
  "cm mm m ft feet foot inch inches in kg x by".split(" "),
);

/** One spelling for each word that has several: British, as digits, and singular where the plural is irregular. */
export const spellings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    one: "1",
    single: "1",
    two: "2",
    three: "3",
    four: "4",
    five: "5",
    six: "6",
    seven: "7",
    eight: "8",
    nine: "9",
    ten: "10",
    eleven: "11",
    twelve: "12",
    seater: "seat",
    shaped: "shape",
    gray: "grey",
    color: "colour",
    colored: "coloured",
    multicolor: "multicolour",
    multicolored: "multicolour",
    multicoloured: "multicolour",
    center: "centre",
    theater: "theatre",
    fiber: "fibre",
    aluminum: "aluminium",
    molded: "moulded",
    jewelry: "jewellery",
    pajama: "pyjama",
    shelves: "shelf",
    bookshelves: "bookshelf",
    shelving: "shelf",
    halves: "half",
    leaves: "leaf",
    knives: "knife",
    feet: "foot",
    children: "child",
    kids: "child",
    kid: "child",
    men: "man",
    women: "woman",
    tvs: "tv",
    televisions: "tv",
    television: "tv",
    dhurry: "dhurrie",
    durry: "dhurrie",
    durrie: "dhurrie",
    dari: "dhurrie",
    carpets: "carpet",
    pouffe: "pouf",
    shisham: "sheesham",
    almari: "almirah",
    almira: "almirah",
    wooden: "wood",
    woollen: "wool",
    woolen: "wool",
  }),
);

/** The colour group that a word spells: `grey` for `gray`. A word that spells none is returned unchanged. */
export const colorGroupOf = (word: string): string =>
  ColorGroup.options.find((group) => spelled(group) === spelled(word)) ?? word;

const spelled = (word: string): string => spellings.get(word) ?? word;
