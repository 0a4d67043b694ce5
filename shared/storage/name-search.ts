import { hasEveryPrefix } from "../domain/base/normalized-words.ts";
import type { RecordPage, StorageKey } from "./pages.ts";

/** A record's search row for one word of its names. */
interface NameRow {
  readonly word: string;
  /** All words of the record's names, this one included. */
  readonly words: readonly string[];
}

/** The rows of the words that begin with a prefix. */
interface NameRange {
  readonly partition: string;
  readonly prefix: string;
}

/** How the records of a kind are found by name. */
export interface NamedRecords<Row extends NameRow, Found> {
  /** The range of the words with this prefix. */
  range(prefix: string): NameRange;
  list(
    range: NameRange,
    page: { limit: number; after: StorageKey | undefined },
  ): Promise<RecordPage<Row>>;
  keyOf(row: Row): StorageKey;
  /** The records of these rows, in their order. */
  read(rows: readonly Row[]): Promise<(Found | undefined)[]>;
  wordsOf(found: Found): readonly string[];
}

export interface NameQuery<Row, Found> {
  /** At least one word, or its beginning. */
  readonly prefixes: readonly string[];
  /** Whether many rows may not match, besides those without every prefix. */
  readonly isNarrowed: boolean;
  isRowMeant(row: Row): boolean;
  matches(found: Found): boolean;
}

/** The read limits of one page. The cursor continues after the last row that was read. */
const mostRows = 600;
const mostRecords = 200;
/** Rows per query of a search that is narrowed, so that many rows may not match. */
const rowsAtOnce = 100;
/** Minimum number of records that are read together, because some may not match. */
const leastAtOnce = 25;

/** The longest word is the most selective: its rows are read, and the other words are matched against them. */
export const mostSelective = (prefixes: readonly string[]): string =>
  prefixes.toSorted((one, other) => other.length - one.length)[0] ?? "";

/**
 * One page of the records whose names contain these words or words that begin with them. Exact matches of the longest
 * word come first, then longer words. The cost does not grow with the number of records: if few match, a page may be
 * short or empty while `next` says that there are more.
 *
 * @param page.after where the previous page ended
 */
export async function searchNames<Row extends NameRow, Found>(
  of: NamedRecords<Row, Found>,
  { prefixes, isNarrowed, isRowMeant, matches }: NameQuery<Row, Found>,
  { limit, after }: { limit: number; after: StorageKey | undefined },
): Promise<{ records: Found[]; next: StorageKey | undefined }> {
  const range = of.range(mostSelective(prefixes));
  const recordsAtOnce = Math.max(limit + 1, leastAtOnce);
  const rowsPerQuery = isNarrowed || prefixes.length > 1 ? rowsAtOnce : recordsAtOnce;
  const records: Found[] = [];
  let position = after;
  let [rowsRead, recordsRead] = [0, 0];
  do {
    const page = await of.list(range, { limit: rowsPerQuery, after: position });
    const rows = page.records.filter(
      (row) =>
        isRowMeant(row) &&
        hasEveryPrefix(row.words, prefixes) &&
        // A record with two words of this prefix has two rows here.
        row.word === row.words.find((each) => each.startsWith(range.prefix)),
    );
    rowsRead += page.records.length;
    for (let start = 0; start < rows.length; start += recordsAtOnce) {
      if (recordsRead >= mostRecords) return { records, next: position };
      const some = rows.slice(start, start + recordsAtOnce);
      recordsRead += some.length;
      const found = await of.read(some);
      for (const [place, row] of some.entries()) {
        if (records.length === limit) return { records, next: position };
        position = of.keyOf(row);
        const record = found[place];
        // The rows may lag behind a change of the name.
        if (record && hasEveryPrefix(of.wordsOf(record), prefixes) && matches(record))
          records.push(record);
      }
    }
    position = page.next;
  } while (position && records.length < limit && rowsRead < mostRows && recordsRead < mostRecords);
  return { records, next: position };
}
