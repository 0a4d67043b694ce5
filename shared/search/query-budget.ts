import { normalizeText } from "../domain/base/normalized-words.ts";

/** A range of prices in units of the currency. */
export interface Budget {
  readonly min: number;
  /** Infinity without an upper limit. */
  readonly max: number;
}

export interface BudgetQuery {
  readonly budget: Budget;
  /** The query without the words of the budget. */
  readonly rest: string;
  /** False for a number that nothing marks as a price, as in "sofa 50000". */
  readonly isSure: boolean;
}

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(", "));

const most = wordSet(
  "under, below, less than, lesser than, within, upto, up to, max, maximum, at most, no more than, not more than, " +
    "cheaper than, budget, budget of, budget under, budget is, <, <=",
);
const least = wordSet(
  "over, above, more than, at least, min, minimum, starting, starting at, starting from, from, >, >=",
);
const about = wordSet("around, about, approx, approximately, near, nearly, roughly");
const mostAfter = wordSet(
  "or less, or below, or under, or cheaper, and below, and under, max, budget",
);
const leastAfter = wordSet("or more, or above, or over, and above, and up, and more, +");
const between = wordSet("between, from, range");
const connectors = wordSet("to, and, -, –, —");
const currencies = wordSet(
  "rs, inr, rupee, rupees, usd, dollar, dollars, eur, euro, euros, gbp, aed, ₹, $, €, £",
);
const units = wordSet(
  "cm, mm, m, ft, feet, foot, inch, inches, in, kg, g, seat, seats, seater, seaters, sitter, people, persons, person, " +
    "pax, door, doors, drawer, drawers, shelf, shelves, piece, pieces, pcs, set, sets, tier, w, watt, watts, rubs, " +
    "martindale, day, days, week, weeks, month, months, year, years, x, ×, %, ', \", °",
);
const scales: ReadonlyMap<string, number> = new Map(
  Object.entries({
    k: 1_000,
    thousand: 1_000,
    hazar: 1_000,
    lakh: 100_000,
    lakhs: 100_000,
    lac: 100_000,
    lacs: 100_000,
  }),
);

/** The smallest number that is read as a price, by what marks it. "Under 90" may be a measure, and "4k" a TV. */
const smallest = { currency: 0, limit: 100, range: 1_000, scale: 10_000, bare: 4_000 } as const;
/** Larger numbers are no prices, and would exceed the amounts that a response may contain. */
const largest = 500_000_000;
const aboutPart = 0.25;

interface Token {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A number that may be a price. */
interface Amount extends Token {
  readonly value: number;
  readonly mark: "currency" | "scale" | "bare";
}

type Item = Token & Partial<Pick<Amount, "value" | "mark">>;

const tokenPattern = /\d+(?:,\d{2,3})*(?:\.\d+)?|\p{L}+|[<>]=|[^\s\p{L}\p{N}]/gu;
const isDigits = (text: string) => /^\d/.test(text);

/** The budget that a query names, such as "sofa under 50,000", "lamp below 5k" or "10000 to 20000". */
export function budgetIn(query: string): BudgetQuery | undefined {
  const text = normalizeText(query);
  if (!/\d{3}|\d\s*[klth]|[₹$€£]|rs|inr/u.test(text)) return undefined;
  const tokens = Array.from(text.matchAll(tokenPattern), ({ 0: found, index }) => ({
    text: found,
    from: index,
    to: index + found.length,
  }));
  const items = itemsOf(text, tokens);
  for (let at = 0; at < items.length; at += 1) {
    const found = items[at]!.value === undefined ? undefined : budgetAt(items, at);
    if (found === undefined) continue;
    const rest = text.slice(0, items[found.first]!.from) + " " + text.slice(items[found.last]!.to);
    return { budget: found.budget, rest: rest.trim(), isSure: found.isSure };
  }
  return undefined;
}

interface FoundBudget {
  readonly budget: Budget;
  readonly isSure: boolean;
  /** The items that the budget takes up. */
  readonly first: number;
  readonly last: number;
}

/** The budget whose first amount is this item. */
function budgetAt(items: readonly Item[], at: number): FoundBudget | undefined {
  const amount = items[at] as Amount;
  const before = phraseAt(items, at, -1, [most, least, about, between]);
  const connector = items[at + 1]?.text ?? "";
  const other = items[at + 2];
  if (other?.value !== undefined && connectors.has(connector)) {
    const isOpen = connector !== "and" || (before !== undefined && between.has(before.phrase));
    return isOpen ? rangeOf(amount, other as Amount, { at, before }) : undefined;
  }
  const after = phraseAt(items, at, 1, [mostAfter, leastAfter]);
  const phrase = before?.phrase ?? after?.phrase ?? "";
  const isLimit = before !== undefined || after !== undefined;
  const isEnough =
    amount.value >=
    smallest[amount.mark === "currency" ? "currency" : isLimit ? "limit" : amount.mark];
  if (!isEnough) return undefined;
  const { value } = amount;
  return {
    budget:
      least.has(phrase) || leastAfter.has(phrase)
        ? { min: value, max: Infinity }
        : about.has(phrase)
          ? { min: value * (1 - aboutPart), max: value * (1 + aboutPart) }
          : { min: 0, max: value },
    isSure: isLimit || amount.mark !== "bare",
    first: at - (before?.length ?? 0),
    last: at + (before ? 0 : (after?.length ?? 0)),
  };
}

function rangeOf(
  one: Amount,
  other: Amount,
  { at, before }: { at: number; before: Phrase | undefined },
): FoundBudget | undefined {
  // "10 to 20k" means thousands twice.
  const scale = one.mark === "bare" && other.mark !== "bare" ? scaleOf(other) : 1;
  const value =
    one.value < other.value && one.value * scale <= other.value ? one.value * scale : one.value;
  const isMarked = one.mark !== "bare" || other.mark !== "bare";
  const enough = isMarked ? 0 : before ? smallest.limit : smallest.range;
  if (Math.min(value, other.value) < enough) return undefined;
  return {
    budget: { min: Math.min(value, other.value), max: Math.max(value, other.value) },
    isSure: true,
    first: at - (before?.length ?? 0),
    last: at + 2,
  };
}

const scaleOf = ({ text }: Token): number =>
  Math.max(1, ...Array.from(scales).map(([name, scale]) => (text.includes(name) ? scale : 1)));

interface Phrase {
  readonly phrase: string;
  /** In items. */
  readonly length: number;
}

/** The longest known phrase of up to three words before or after an item. */
function phraseAt(
  items: readonly Item[],
  at: number,
  side: -1 | 1,
  known: readonly ReadonlySet<string>[],
): Phrase | undefined {
  for (let length = 3; length > 0; length -= 1) {
    const start = side < 0 ? at - length : at + 1;
    const words = start < 0 ? [] : items.slice(start, start + length);
    const phrase = words.map(({ text }) => text).join(" ");
    if (words.length === length && known.some((phrases) => phrases.has(phrase))) {
      return { phrase, length };
    }
  }
  return undefined;
}

/** The tokens, with each number that may be a price, its currency and its scale as one item. */
function itemsOf(text: string, tokens: readonly Token[]): Item[] {
  const items: Item[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (!isDigits(token.text)) {
      items.push(token);
      continue;
    }
    let first = at;
    while (first > 0 && tokens[first - 1]!.text === ".") first -= 1;
    const isPrefixed =
      first > 0 &&
      items.at(first - at - 1)?.text === tokens[first - 1]!.text &&
      currencies.has(tokens[first - 1]!.text) &&
      !/\d\p{L}+$/u.test(text.slice(0, tokens[first - 1]!.to));
    if (isPrefixed) first -= 1;
    const scale = scales.get(tokens[at + 1]?.text ?? "");
    let last = scale === undefined ? at : at + 1;
    const isSuffixed = currencies.has(tokens[last + 1]?.text ?? "");
    if (isSuffixed) last += 1;
    const isDashed = text.startsWith("/-", tokens[last]!.to);
    if (isDashed) last += 2;
    const isPartOfWord =
      !isPrefixed &&
      ((/[\p{L}\p{N}][-_./]?$/u.test(text.slice(0, token.from)) && !endsRange(items)) ||
        beginsCode(text.slice(tokens[last]!.to)));
    const value = Number(token.text.replaceAll(",", "")) * (scale ?? 1);
    if (isPartOfWord || value > largest || hasUnit(tokens, last)) {
      items.push(token);
      continue;
    }
    if (isPrefixed) items.length -= at - first;
    items.push({
      text: text.slice(tokens[first]!.from, tokens[last]!.to),
      from: tokens[isPrefixed ? first : at]!.from,
      to: tokens[last]!.to,
      value,
      mark:
        isPrefixed || isSuffixed || isDashed ? "currency" : scale === undefined ? "bare" : "scale",
    });
    at = last;
  }
  return items;
}

/** Whether the text after a number belongs to the same code, as in "6189-OAK-2" and "18016b43-65c3". */
function beginsCode(after: string): boolean {
  const letters = /^-?(\p{L}+)[-\d]/u.exec(after)?.[1];
  return letters !== undefined && !connectors.has(letters);
}

/** Whether a unit follows, as in "100 cm" and for both numbers of "100 to 150 cm". */
function hasUnit(tokens: readonly Token[], at: number): boolean {
  const text = (ahead: number) => tokens[at + ahead]?.text ?? "";
  return units.has(text(1)) || (connectors.has(text(1)) && isDigits(text(2)) && units.has(text(3)));
}

/** Whether the next number is the second of "10-20". In "F74-6189", 74 is part of a word. */
const endsRange = (before: readonly Item[]): boolean =>
  connectors.has(before.at(-1)?.text ?? "") && before.at(-2)?.value !== undefined;
