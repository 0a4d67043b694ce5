import type { Fonts } from "./fonts.ts";
import { type Column, colors, contentBottom, contentWidth, page, sizes } from "./page-layout.ts";

/** The PDF that is drawn, and where its next block begins on the current page. */
export interface Sheet {
  readonly pdf: PDFKit.PDFDocument;
  readonly fonts: Fonts;
  y: number;
}

/** A text with its style. It wraps at the width of its place. */
export interface Cell {
  readonly text: string;
  readonly size?: number;
  readonly bold?: boolean;
  readonly color?: string;
  readonly align?: "left" | "right";
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Text below this height is cut off. */
  readonly height?: number;
}

/** Space around the text of a cell. */
export const padding = 4;

/** Writes texts below each other. */
export function writeLines(sheet: Sheet, lines: readonly Cell[], place: Place): void {
  let { y } = place;
  const bottom = place.y + (place.height ?? Number.POSITIVE_INFINITY);
  for (const line of lines) {
    const height = heightOf(sheet, line, place.width);
    const room = bottom - y;
    if (room <= 0) return;
    const { pdf } = styled(sheet, line);
    pdf.fillColor(line.color ?? colors.text).text(line.text, place.x, y, {
      width: place.width,
      align: line.align ?? "left",
      lineGap: lineGapOf(line),
      // Sums of heights differ in their last digits.
      ...(height > room + 0.5 && { height: room, ellipsis: true }),
    });
    y += height;
  }
}

export const linesHeight = (sheet: Sheet, lines: readonly Cell[], width: number): number =>
  lines.reduce((sum, line) => sum + heightOf(sheet, line, width), 0);

const heightOf = (sheet: Sheet, line: Cell, width: number): number =>
  styled(sheet, line).pdf.heightOfString(line.text, { width, lineGap: lineGapOf(line) });

/** The widest of some texts, each on one line. */
export const widestOf = (sheet: Sheet, lines: readonly Cell[]): number =>
  Math.max(0, ...lines.map((line) => styled(sheet, line).pdf.widthOfString(line.text)));

/** Mukta leaves more space between lines than tables need. */
const lineGapOf = ({ size = sizes.text }: Cell): number => -0.28 * size;

function styled(sheet: Sheet, { size = sizes.text, bold = false }: Cell): Sheet {
  const font = bold ? sheet.fonts.bold : sheet.fonts.regular;
  // pdfkit also takes a font that fontkit has opened, which its types do not say.
  sheet.pdf.font(font as unknown as string).fontSize(size);
  return sheet;
}

/** Draws a table, and repeats its head on each page. Rows are not divided between pages. */
export function drawTable(
  sheet: Sheet,
  columns: readonly Column[],
  rows: readonly (readonly (readonly Cell[])[])[],
): void {
  const head = headOf(columns);
  const headHeight = rowHeight(sheet, columns, head);
  const firstHeight = rows[0] ? rowHeight(sheet, columns, rows[0]) : 0;
  if (sheet.y + headHeight + firstHeight > contentBottom) beginPage(sheet);
  drawHead(sheet, columns, head, headHeight);
  for (const row of rows) {
    // A row that is higher than a page is cut off.
    const most = contentBottom - page.margin - headHeight;
    const height = Math.min(rowHeight(sheet, columns, row), most);
    if (sheet.y + height > contentBottom) {
      beginPage(sheet);
      drawHead(sheet, columns, head, headHeight);
    }
    drawRow(sheet, columns, row, height);
    const bottom = sheet.y + height;
    sheet.pdf
      .moveTo(page.margin, bottom)
      .lineTo(page.margin + contentWidth, bottom)
      .lineWidth(0.5)
      .strokeColor(colors.rule)
      .stroke();
    sheet.y = bottom;
  }
}

/** The height of a table on one page. */
export const tableHeight = (
  sheet: Sheet,
  columns: readonly Column[],
  rows: readonly (readonly (readonly Cell[])[])[],
): number =>
  [headOf(columns), ...rows].reduce((sum, row) => sum + rowHeight(sheet, columns, row), 0);

const headOf = (columns: readonly Column[]): Cell[][] =>
  columns.map(({ head }) => [{ text: head, size: sizes.small, bold: true }]);

function beginPage(sheet: Sheet): void {
  sheet.pdf.addPage();
  sheet.y = page.margin;
}

function drawHead(
  sheet: Sheet,
  columns: readonly Column[],
  head: readonly (readonly Cell[])[],
  height: number,
): void {
  sheet.pdf.rect(page.margin, sheet.y, contentWidth, height).fill(colors.shade);
  drawRow(sheet, columns, head, height);
  sheet.y += height;
}

const rowHeight = (
  sheet: Sheet,
  columns: readonly Column[],
  row: readonly (readonly Cell[])[],
): number =>
  Math.max(...row.map((cell, index) => linesHeight(sheet, cell, innerWidth(columns[index])))) +
  2 * padding;

const innerWidth = (column: Column | undefined): number => (column?.width ?? 0) - 2 * padding;

function drawRow(
  sheet: Sheet,
  columns: readonly Column[],
  row: readonly (readonly Cell[])[],
  height: number,
): void {
  let x = page.margin;
  for (const [index, column] of columns.entries()) {
    const cell = (row[index] ?? []).map((line) => ({ ...line, align: column.align }));
    writeLines(sheet, cell, {
      x: x + padding,
      y: sheet.y + padding,
      width: innerWidth(column),
      height: height - 2 * padding,
    });
    x += column.width;
  }
}
