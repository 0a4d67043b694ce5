/** Measures of an A4 page, in points. */
export const page = { width: 595.28, height: 841.89, margin: 40, footer: 24 } as const;

export const contentWidth = page.width - 2 * page.margin;
/** Where the content of a page ends. */
export const contentBottom = page.height - page.margin - page.footer;

export const colors = { text: "#1f1b16", faint: "#6b6459", rule: "#cfc8bb", shade: "#f3efe8" };

export const sizes = { title: 18, shop: 14, text: 9, small: 7.5 } as const;

/** A column of a table, with its width in points. */
export interface Column {
  readonly head: string;
  readonly width: number;
  readonly align: "left" | "right";
}

/**
 * Columns that fill the width of the content: columns without a width share what the others leave.
 *
 * @param columns with at least one column without a width
 */
export function fillWidth(
  columns: readonly (Omit<Column, "width"> & { readonly width?: number })[],
): Column[] {
  const taken = columns.reduce((sum, { width = 0 }) => sum + width, 0);
  const flexible = columns.filter(({ width }) => width === undefined).length;
  const share = (contentWidth - taken) / flexible;
  return columns.map((column) => ({ ...column, width: column.width ?? share }));
}
