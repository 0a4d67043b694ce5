export type PrintedFact = readonly [label: string, value: string];

/** A line of a document. All amounts are written out. */
export interface PrintedLine {
  readonly name: string;
  /** Shown small, below the name. */
  readonly details: readonly string[];
  readonly hsn: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly discount: string;
  readonly taxable: string;
  readonly tax: string;
  readonly total: string;
}

/** A table of text. The first column is aligned left, the others right. */
export interface PrintedTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The content of a PDF, with all texts ready to be drawn. */
export interface PrintedDocument {
  readonly title: string;
  readonly number: string;
  readonly facts: readonly PrintedFact[];
  readonly seller: { readonly name: string; readonly lines: readonly string[] };
  readonly parties: readonly { readonly title: string; readonly lines: readonly string[] }[];
  readonly lines: readonly PrintedLine[];
  /** What the column of `discount` is called; by default "Discount". */
  readonly discountHead?: string;
  /** The last total is the most important one. */
  readonly totals: readonly PrintedFact[];
  /** How the total is paid, if it is paid in parts. */
  readonly payments: readonly PrintedFact[];
  readonly inWords: string;
  /** Null if the document shows no tax. */
  readonly taxes: PrintedTable | null;
  readonly notes: readonly string[];
}
