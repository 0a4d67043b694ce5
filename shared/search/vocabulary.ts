import { ColorGroup } from "../domain/catalog/material.ts";

/** Words that only connect others. They are neither indexed nor searched. */
const connecting =
  "a an and as at by from i in into is it its my of on or our that the this to under with your for";

/** Words that say nothing about a piece of furniture. */
const empty =
  "size sized style styled type kind buy need want show me piece furniture please best good nice great some any when all can be set design designs online price prices priced cost rate";

/** "ka" in "lakdi ka bed", a wooden bed. */
const hindi = "ka ke ki wala wali wale aur";

export const stopWords: ReadonlySet<string> = new Set(`${connecting} ${empty} ${hindi}`.split(" "));

/** The word after one of these is what the buyer does not want, or what the item lacks. */
export const negations: ReadonlySet<string> = new Set("no non not without".split(" "));

/** Words that contain their negation, with what they say is missing. */
export const lackedParts: ReadonlyMap<string, string> = new Map(
  Object.entries({ armless: "arms", backless: "back", legless: "legs" }),
);

/** What a picture in a query stands for. */
export const pictures: ReadonlyMap<string, string> = new Map(
  Object.entries({ "🛋": "sofa", "🛏": "bed", "🪑": "chair", "💡": "lamp", "🪞": "mirror" }),
);

/** What follows one of these only qualifies what stands before it. */
export const prepositions: ReadonlySet<string> = new Set(
  "at by for from in of on to under with without".split(" "),
);

/** Units that are left out after a number: "135 cm" is read as 135. */
export const unitWords: ReadonlySet<string> = new Set(
  "cm mm m ft feet foot inch inches in kg x by".split(" "),
);

/** The units of length, in millimetres. */
export const lengths: ReadonlyMap<string, number> = new Map(
  Object.entries({
    mm: 1,
    cm: 10,
    m: 1_000,
    inch: 25.4,
    inches: 25.4,
    in: 25.4,
    ft: 304.8,
    feet: 304.8,
    foot: 304.8,
  }),
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
    darri: "dhurrie",
    durri: "dhurrie",
    dhurri: "dhurrie",
    carpets: "carpet",
    pouffe: "pouf",
    shisham: "sheesham",
    almari: "almirah",
    almira: "almirah",
    wooden: "wood",
    lakdi: "wood",
    lakadi: "wood",
    woollen: "wool",
    woolen: "wool",
  }),
);

/** The words that are spelled as digits. */
export const numberWords: readonly string[] = [...spellings.keys()].filter((word) =>
  /^\d+$/.test(spellings.get(word)!),
);

/** The colour group that a word spells: `grey` for `gray`. A word that spells none is returned unchanged. */
export const colorGroupOf = (word: string): string =>
  ColorGroup.options.find((group) => spelled(group) === spelled(word)) ?? word;

const spelled = (word: string): string => spellings.get(word) ?? word;
