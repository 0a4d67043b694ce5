import PDFDocument from "pdfkit";
import type { Fonts } from "./fonts.ts";
import { colors, contentBottom, contentWidth, fillWidth, page, sizes } from "./page-layout.ts";
import {
  type Cell,
  type Sheet,
  drawTable,
  linesHeight,
  padding,
  tableHeight,
  widestOf,
  writeLines,
} from "./draw-table.ts";
import type { PrintedDocument, PrintedLine, PrintedTable } from "./printed-document.ts";

const gap = 14;
const columnGap = 20;

/**
 * Draws a document as PDF, on as many A4 pages as it needs. The fonts are embedded with the letters that occur.
 *
 * @param at the creation date in the file
 */
export async function drawDocument(
  document: PrintedDocument,
  fonts: Fonts,
  at: Date,
): Promise<Uint8Array> {
  const { title, number, seller } = document;
  const pdf = new PDFDocument({
    size: "A4",
    margin: 0,
    bufferPages: true,
    lang: "en",
    info: { Title: `${title} ${number}`, Author: seller.name, CreationDate: at },
    // pdfkit also takes a font that fontkit has opened, which its types do not say.
    font: fonts.regular as unknown as string,
  });
  const parts: Uint8Array[] = [];
  const done = new Promise<void>((resolve, reject) => {
    pdf.on("data", (part: Uint8Array) => parts.push(part));
    pdf.on("end", resolve);
    pdf.on("error", reject);
  });
  const sheet: Sheet = { pdf, fonts, y: page.margin };
  drawHead(sheet, document);
  drawParties(sheet, document);
  drawLines(sheet, document);
  drawTotals(sheet, document);
  if (document.taxes) drawTaxes(sheet, document.taxes);
  drawNotes(sheet, document);
  drawFooters(sheet, document);
  pdf.end();
  await done;
  return Buffer.concat(parts);
}

const half = (contentWidth - columnGap) / 2;

function drawHead(sheet: Sheet, { title, number, facts, seller }: PrintedDocument): void {
  const top = sheet.y;
  const right = page.margin + half + columnGap;
  const left: Cell[] = [
    { text: seller.name, size: sizes.shop, bold: true },
    ...seller.lines.map((text) => ({ text, color: colors.faint })),
  ];
  const own: Cell[] = [
    { text: title, size: sizes.title, bold: true, align: "right" },
    { text: number, size: sizes.text + 2, align: "right" },
    ...facts.map(([label, value]): Cell => ({ text: `${label}: ${value}`, align: "right" })),
  ];
  writeLines(sheet, left, { x: page.margin, y: top, width: half });
  writeLines(sheet, own, { x: right, y: top, width: half });
  sheet.y = top + Math.max(linesHeight(sheet, left, half), linesHeight(sheet, own, half)) + gap;
}

function drawParties(sheet: Sheet, { parties }: PrintedDocument): void {
  const blocks = parties.map(({ title, lines }): Cell[] => [
    { text: title, size: sizes.small, color: colors.faint },
    ...lines.map((text, index) => ({ text, bold: index === 0 })),
  ]);
  for (const [index, block] of blocks.entries()) {
    const x = page.margin + index * (half + columnGap);
    writeLines(sheet, block, { x, y: sheet.y, width: half });
  }
  sheet.y += Math.max(0, ...blocks.map((block) => linesHeight(sheet, block, half))) + gap;
}

/** The members of a line that a column shows. A column without any text is left out. */
const lineColumns = [
  { member: "hsn", head: "HSN" },
  { member: "quantity", head: "Qty" },
  { member: "unitPrice", head: "Unit price" },
  { member: "discount", head: "Discount" },
  { member: "taxable", head: "Taxable" },
  { member: "tax", head: "Tax" },
  { member: "total", head: "Amount" },
] as const satisfies readonly { member: keyof PrintedLine; head: string }[];

function drawLines(sheet: Sheet, { lines, discountHead = "Discount" }: PrintedDocument): void {
  const shown = lineColumns
    .map((column) => (column.member === "discount" ? { ...column, head: discountHead } : column))
    .filter(({ member }) => lines.some((line) => line[member] !== ""));
  const columns = fillWidth([
    { head: "#", width: 24, align: "left" },
    { head: "Description", align: "left" },
    ...shown.map(({ member, head }) => {
      const texts = [head, ...lines.flatMap((line) => line[member].split("\n"))];
      const widest = widestOf(
        sheet,
        texts.map((text) => ({ text })),
      );
      return { head, width: widest + 2 * padding + 2, align: "right" as const };
    }),
  ]);
  const rows = lines.map((line, index): Cell[][] => [
    [{ text: String(index + 1), color: colors.faint }],
    [
      { text: line.name },
      ...line.details.map((text) => ({ text, size: sizes.small, color: colors.faint })),
    ],
    ...shown.map(({ member }) => line[member].split("\n").map((text) => ({ text }))),
  ]);
  drawTable(sheet, columns, rows);
  sheet.y += gap;
}

const totalsWidth = 230;

function drawTotals(sheet: Sheet, { totals, payments, inWords }: PrintedDocument): void {
  const cells = [...totals, ...payments].map(([label, value], index): [Cell, Cell] => {
    const isLast = index === totals.length - 1;
    const style = { bold: isLast, ...(isLast && { size: sizes.text + 2 }) };
    return [
      { text: label, ...style },
      { text: value, align: "right", ...style },
    ];
  });
  const labelWidth = 110;
  const valueWidth = totalsWidth - labelWidth;
  const heights = cells.map(([label, value]) =>
    Math.max(linesHeight(sheet, [label], labelWidth), linesHeight(sheet, [value], valueWidth)),
  );
  const words: Cell[] = [
    { text: "Total in words", size: sizes.small, color: colors.faint },
    { text: inWords },
  ];
  const wordsWidth = contentWidth - totalsWidth - columnGap;
  const height = Math.max(
    heights.reduce((sum, each) => sum + each, 0),
    linesHeight(sheet, words, wordsWidth),
  );
  makeRoom(sheet, height);
  writeLines(sheet, words, { x: page.margin, y: sheet.y, width: wordsWidth });
  const x = page.width - page.margin - totalsWidth;
  let { y } = sheet;
  for (const [index, [label, value]] of cells.entries()) {
    writeLines(sheet, [label], { x, y, width: labelWidth });
    writeLines(sheet, [value], { x: x + labelWidth, y, width: valueWidth });
    y += heights[index] ?? 0;
  }
  sheet.y += height + gap;
}

function drawTaxes(sheet: Sheet, { title, head, rows }: PrintedTable): void {
  const columns = fillWidth(
    head.map((text, index) => ({ head: text, align: index === 0 ? "left" : "right" })),
  );
  const heading: Cell[] = [{ text: title, bold: true }];
  const cells = rows.map((row, index) =>
    row.map((text): Cell[] => [{ text, bold: index === rows.length - 1 }]),
  );
  // A table that fits on one page is not divided.
  const height = linesHeight(sheet, heading, contentWidth) + 2 + tableHeight(sheet, columns, cells);
  makeRoom(sheet, Math.min(height, contentBottom - page.margin));
  writeLines(sheet, heading, { x: page.margin, y: sheet.y, width: contentWidth });
  sheet.y += linesHeight(sheet, heading, contentWidth) + 2;
  drawTable(sheet, columns, cells);
  sheet.y += gap;
}

function drawNotes(sheet: Sheet, { notes }: PrintedDocument): void {
  for (const text of notes) {
    const note: Cell[] = [{ text, color: colors.faint }];
    const height = linesHeight(sheet, note, contentWidth);
    makeRoom(sheet, height);
    writeLines(sheet, note, { x: page.margin, y: sheet.y, width: contentWidth });
    sheet.y += height + 4;
  }
}

/** Begins a new page if the rest of this one is lower than `height`. */
function makeRoom(sheet: Sheet, height: number): void {
  if (sheet.y + height <= contentBottom) return;
  sheet.pdf.addPage();
  sheet.y = page.margin;
}

/** Each page names the document, so that a page on its own can be told apart. */
function drawFooters(sheet: Sheet, { title, number, seller }: PrintedDocument): void {
  const { count } = sheet.pdf.bufferedPageRange();
  const y = page.height - page.margin - 10;
  for (let index = 0; index < count; index++) {
    sheet.pdf.switchToPage(index);
    const left: Cell = { text: `${seller.name} · ${title} ${number}`, size: sizes.small };
    const right: Cell = {
      text: `Page ${index + 1} of ${count}`,
      size: sizes.small,
      align: "right",
    };
    const color = colors.faint;
    writeLines(sheet, [{ ...left, color }], { x: page.margin, y, width: contentWidth - 70 });
    const x = page.width - page.margin - 70;
    writeLines(sheet, [{ ...right, color }], { x, y, width: 70 });
  }
}
