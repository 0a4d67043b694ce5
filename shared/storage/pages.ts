import type { IndexName, Key } from "./entity.ts";

/** The key of an item in the table, and in the index if one is read. */
export type StorageKey = Readonly<Record<string, unknown>>;

/** Sorted items: a partition of the table or of an index, or a part of it. */
export interface KeyRange {
  readonly index?: IndexName;
  readonly partition: string;
  /** Only sort keys with this prefix. It must not be empty. */
  readonly prefix?: string | undefined;
  /** Alternative to `prefix`: only sort keys between these two, both inclusive. */
  readonly between?: readonly [string, string] | undefined;
  readonly newestFirst?: boolean;
}

export interface PageOptions<Row, Found> {
  /** The most records of the page. Default: all records of the range, in as many requests as that takes. */
  readonly limit?: number;
  /** The end of the previous page. */
  readonly after?: StorageKey | undefined;
  /** Reads the records that rows stand for, in the order of the rows; undefined for a row that stands for none. */
  read?(rows: Row[]): Promise<readonly (Found | undefined)[]>;
  /** Whether a record belongs to the list. */
  matches?(found: NoInfer<Found>): boolean;
  /** The most rows that are read to fill the page. Default: as many as `limit` */
  readonly most?: number;
}

export interface RecordPage<Found> {
  records: Found[];
  /** Where the following page starts; undefined after the last one. */
  next: StorageKey | undefined;
  /** How many rows were read. */
  read: number;
}

/** What one request returned. */
interface Portion<Row> {
  readonly rows: Row[];
  /** The start of what follows; undefined at the end of the range. */
  readonly next: StorageKey | undefined;
  /** Where the row at this place ends. */
  endOf(place: number): StorageKey;
}

/**
 * Reads a range until `limit` records match or `most` rows were read. If few match, each further request reads twice as
 * many, and the page may be short or empty while `next` says that there are more. A page with a limit also ends once
 * DynamoDB has returned 1 MB with a matching record, so that no answer becomes too large.
 */
export async function readPage<Row, Found>(
  request: (part: {
    limit: number | undefined;
    after: StorageKey | undefined;
  }) => Promise<Portion<Row>>,
  { limit = Infinity, most = limit, read, matches, ...options }: PageOptions<Row, Found>,
): Promise<RecordPage<Found>> {
  const records: Found[] = [];
  let { after } = options;
  let rowsRead = 0;
  for (let size = Math.min(limit, most); ; size = Math.min(2 * size, most - rowsRead)) {
    const part = { limit: most === Infinity ? undefined : size, after };
    const { rows, next, endOf } = await request(part);
    // The cast is safe: without `read`, the rows are the records.
    rowsRead += rows.length;
    const found = read ? await read(rows) : (rows as unknown as Found[]);
    for (const [place, record] of found.entries()) {
      if (record === undefined || matches?.(record) === false) continue;
      records.push(record);
      if (records.length === limit) {
        const isLast = place === rows.length - 1;
        return { records, next: isLast ? next : endOf(place), read: rowsRead };
      }
    }
    after = next;
    const isLarge = part.limit !== undefined && rows.length < part.limit && records.length > 0;
    if (!after || rowsRead >= most || isLarge) return { records, next, read: rowsRead };
  }
}

/**
 * The end of a page of a range.
 *
 * @param sortKey of the last item, in the range
 * @param key of the last item, in the table
 */
export function endAt({ index, partition }: KeyRange, sortKey: string, key: Key): StorageKey {
  return index
    ? { pk: key.pk, sk: key.sk, [`${index}pk`]: partition, [`${index}sk`]: sortKey }
    : { pk: partition, sk: sortKey };
}

/** The sort key that an item, or the end of a page, has in a range. */
export const sortKeyAt = ({ index }: KeyRange, at: StorageKey): string =>
  String(at[index ? `${index}sk` : "sk"]);
