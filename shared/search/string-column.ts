/** Many strings in one UTF-8 block, decoded on access, so that loading costs nothing. */
export interface StringColumn {
  bytes: Buffer<ArrayBuffer>;
  /** The start of each string, with one entry more at the end. */
  offsets: Uint32Array<ArrayBuffer>;
}

export function stringColumn(strings: readonly string[]): StringColumn {
  const offsets = new Uint32Array(strings.length + 1);
  let length = 0;
  strings.forEach((text, row) => {
    length += Buffer.byteLength(text);
    offsets[row + 1] = length;
  });
  const bytes = Buffer.from(new ArrayBuffer(length));
  strings.forEach((text, row) => {
    bytes.write(text, offsets[row]!);
  });
  return { bytes, offsets };
}

export function stringAt(column: StringColumn, row: number): string {
  return column.bytes.toString("utf8", column.offsets[row], column.offsets[row + 1]);
}

/** The first position in `0…size` whose string is not below `wanted`; `at` must ascend. */
export function lowerBound(size: number, at: (position: number) => string, wanted: string): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A list of strings, stored as JSON. */
export function stringsAt(column: StringColumn, row: number): string[] {
  const text = stringAt(column, row);
  // The index writer stores only JSON lists of strings in these columns.
  return text === "[]" ? [] : (JSON.parse(text) as string[]);
}
