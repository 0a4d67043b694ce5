import {
  create,
  insertMultiple,
  load as loadOrama,
  save,
  search as searchOrama,
} from "@orama/orama";
import MiniSearch, { type Options, type Query } from "minisearch";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { catalogIndex } from "#shared/search/catalog-index.ts";
import { catalogPage } from "#shared/search/catalog-page.ts";
import { decodeBase, encodeBase } from "#shared/search/index-format.ts";
import { type IndexEntry, type Segment, emptySegment, segmentOf } from "#shared/search/segment.ts";
import { longestPhrase, shippedSynonyms, synonymsFor } from "#shared/search/synonyms.ts";
import { textFields, weightOf } from "#shared/search/text-fields.ts";
import { canonicalWords, queryWords } from "#shared/search/words.ts";
import { demoEntries, manyEntries } from "#test/support/shop/many-records.ts";
import { judgedQueries, relevanceOf } from "#test/support/shop/relevance.ts";
import { type Section, median } from "./report.ts";

const sizes = [demoEntries.length, 10_000, 50_000];
/** Only every fifth query is timed, because in a large catalog some queries take the libraries seconds. */
const timedQueries = judgedQueries.filter((_query, at) => at % 5 === 0);

/** A search engine with the same entries, after its index was stored and loaded again. */
interface Engine {
  readonly find: (query: string) => string[];
  readonly loadMs: number;
  readonly mb: number;
}

const engines: Record<string, (entries: readonly IndexEntry[]) => Promise<Engine>> = {
  ours: ownEngine,
  MiniSearch: miniSearchEngine,
  Orama: oramaEngine,
};

/** Compares the relevance, speed and size of search with two libraries that have the same documents and synonyms. */
export async function searchSection(): Promise<Section> {
  const rows: (string | number | null)[][] = [];
  for (const [name, build] of Object.entries(engines)) {
    for (const size of sizes) {
      const engine = await build(manyEntries(size));
      const relevance =
        size === demoEntries.length ? relevanceOf(judgedQueries, engine.find) : undefined;
      const us = timedQueries.map(({ query }) => microseconds(() => engine.find(query)));
      rows.push([
        name,
        size,
        ...[relevance?.hitAt1, relevance?.hitAt3, relevance?.mrr].map((part) => part ?? null),
        median(us),
        us.toSorted((a, b) => a - b)[Math.floor(us.length * 0.95)] ?? null,
        engine.mb,
        engine.loadMs,
      ]);
    }
  }
  return {
    title: "Search",
    note:
      `${judgedQueries.length} judged queries of the demo shop. The libraries have the same documents, synonyms and ` +
      "weights of fields, and those of their documented options that gave the best relevance. Larger catalogs repeat the cards under other names. " +
      "Times are the median of the CPU time of every fifth query, and the 95th percentile. MB is what the loaded " +
      "text index takes, without the cards. The time to load includes the cards only for our engine. Goals at 50,000 cards: 1 ms, 60 MB.",
    columns: ["engine", "cards", "hit@1", "hit@3", "MRR", "µs", "µs, 95 %", "MB", "ms to load"],
    rows,
  };
}

const keyOf = ({ kind, slug }: { kind: string; slug: string }) => `${kind}:${slug}`;

async function ownEngine(entries: readonly IndexEntry[]): Promise<Engine> {
  const stored = encodeBase({ segment: segmentOf(entries), documents: {} });
  const [index, loadMs] = timed(() => catalogIndex(decodeBase(stored).segment, emptySegment));
  return {
    loadMs,
    mb: textBytes(index.base) / 1e6,
    find: (q) =>
      catalogPage(index, { q, page: 1, per_page: 24 }).cards.map((card) =>
        keyOf(JSON.parse(card) as { kind: string; slug: string }),
      ),
  };
}

function textBytes({ text, letters, looks }: Segment): number {
  const { terms, offsets, docs, fields } = text;
  const columns = [
    terms.bytes,
    terms.offsets,
    offsets,
    docs,
    fields,
    letters,
    looks.bytes,
    looks.offsets,
  ];
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

const documentOf = ({ card, text }: IndexEntry) => ({ ...text, id: keyOf(card) });

const boost = Object.fromEntries(textFields.map((field) => [field, weightOf(field)]));

/**
 * MiniSearch with the options that gave the best relevance: our words, prefixes of the last word only, no typos in short
 * words, and partial matches only if nothing matches all words.
 */
async function miniSearchEngine(entries: readonly IndexEntry[]): Promise<Engine> {
  const options: Options<Record<string, string>> = {
    fields: [...textFields],
    processTerm: (term) => canonicalWords(term).map(({ text }) => text),
    searchOptions: {
      boost,
      prefix: (_term, position, terms) => position === terms.length - 1,
      fuzzy: (term) => (term.length > 3 ? 0.2 : false),
    },
  };
  const stored = storedMiniSearch(entries, options);
  const before = heapMb();
  const [engine, loadMs] = timed(() => MiniSearch.loadJSON(stored, options));
  const mb = heapMb() - before;
  const find = (query: string) => {
    const queries = alternativesOf(query).map(anyOf);
    const whole = engine.search({ combineWith: "AND", queries });
    const found = whole.length > 0 ? whole : engine.search({ combineWith: "OR", queries });
    return found.slice(0, 24).map(({ id }) => String(id));
  };
  return { find, loadMs, mb };
}

/** A function of its own, so that the built index is garbage before the memory is measured. */
function storedMiniSearch(
  entries: readonly IndexEntry[],
  options: Options<Record<string, string>>,
): string {
  const built = new MiniSearch(options);
  built.addAll(entries.map(documentOf));
  return JSON.stringify(built);
}

const anyOf = (phrases: readonly string[]): Query => ({
  combineWith: "OR",
  queries: phrases.map((phrase) => ({ combineWith: "AND", queries: [phrase] })),
});

/** Orama with its stemmer and one typo, which gave the best relevance. */
async function oramaEngine(entries: readonly IndexEntry[]): Promise<Engine> {
  const schema = Object.fromEntries(textFields.map((field) => [field, "string" as const]));
  const options = { schema, components: { tokenizer: { stemming: true } } };
  const built = create(options);
  await insertMultiple(built, entries.map(documentOf));
  const stored = JSON.stringify(save(built));
  const before = heapMb();
  const engine = create(options);
  const [, loadMs] = timed(() => loadOrama(engine, JSON.parse(stored) as ReturnType<typeof save>));
  const mb = heapMb() - before;
  const find = (query: string) => {
    const term = alternativesOf(query).flat().join(" ");
    // Without plugins the search is synchronous; its type covers both.
    const { hits } = searchOrama(engine, { term, tolerance: 1, boost, limit: 24 }) as {
      hits: { id: string }[];
    };
    return hits.map(({ id }) => id);
  };
  return { find, loadMs, mb };
}

/** The words and phrases of a query, each with its synonyms. */
function alternativesOf(query: string): string[][] {
  const words = queryWords(query).map(({ text }) => text);
  const result: string[][] = [];
  let at = 0;
  while (at < words.length) {
    const lengths = Array.from({ length: longestPhrase }, (_, index) => longestPhrase - index);
    const length =
      lengths.find((length) => synonymsFor(words.slice(at, at + length), shippedSynonyms())) ?? 1;
    const phrase = words.slice(at, at + length);
    const synonyms = synonymsFor(phrase, shippedSynonyms()) ?? [];
    result.push([phrase.join(" "), ...synonyms.map(({ words }) => words.join(" "))]);
    at += length;
  }
  return result;
}

function timed<Result>(work: () => Result): [Result, ms: number] {
  const started = performance.now();
  const result = work();
  return [result, performance.now() - started];
}

/** A kernel may count CPU time in steps of some milliseconds, so calls are repeated for this long. */
const measuredMs = 20;

/** CPU time of one call, after a first call that warms up the code. */
function microseconds(work: () => unknown): number {
  work();
  const [begun, before] = [performance.now(), process.cpuUsage()];
  let calls = 0;
  do {
    work();
    calls += 1;
  } while (performance.now() - begun < measuredMs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heapMb(): number {
  collectGarbage();
  // The first collection leaves memory outside the heap to finalizers.
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}
