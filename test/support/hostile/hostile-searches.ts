const longest = 200;
const filled = (unit: string) =>
  unit
    .repeat(Math.floor(longest / unit.length))
    .slice(0, longest)
    .trim();

/** Valid queries that are expensive to read or to match, by what makes them so. */
export const hostileSearches: Readonly<Record<string, string>> = {
  "combining marks": `a${filled("\u0301\u0316").slice(1)}`,
  "combining marks on each letter": filled("so\u0301\u0316fa\u0301 "),
  "letters that normalizing makes longer": filled("\ufdfa"),
  "letters that normalizing makes longer, as words": filled("\ufdfa "),
  "only stop words": filled("with for the and in of a to "),
  "many words": filled("grey teak sofa bed table chair lamp rug "),
  "the most frequent words": filled("wood brown grey fabric sofa living room "),
  "words of one letter": filled("s b t c l "),
  "unfinished words": filled("so be ta ch la ru ca co "),
  "misspelt words": filled("sofq tabel chiar wardrub matras lounje cabnet cushin "),
  "long misspelt words": filled("upholstrered entertainmnet contempoarry multipurpsoe "),
  "long words that no card has": filled("abcdefghijklmnopqrstuvwxyzabcdef "),
  "one word of 200 letters": filled("sofa"),
  "words joined to one": filled("bookcasetablelampsofabed "),
  "words with synonyms": filled("couch settee almirah nightstand carpet tv unit sofa cum bed "),
  numbers: filled("3 seater 2 6 8 4 180 cm 72 x 78 "),
  digits: filled("1"),
  budgets: filled("under 5k rs 10,000 to 20,000 or less "),
  negations: filled("without wood no fabric not sofa non teak "),
  "lengths in every unit": filled("5 ft 72 inch 180 cm 900 mm "),
  hyphens: filled("l-shape-sofa-cum-bed-"),
  apostrophes: filled("king's "),
  "Devanagari words": filled("सोफ़ा बिस्तर मेज़ "),
};
