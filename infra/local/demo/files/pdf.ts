const page = { width: 595, height: 842, margin: 56 } as const;

/** The standard fonts are Latin-1; PDF strings escape parentheses and backslashes. */
const literal = (text: string) => `(${text.replaceAll(/[\\()]/g, String.raw`\$&`)})`;

interface Line {
  readonly text: string;
  readonly size: number;
  /** Space above the line, in points. */
  readonly above: number;
}

/** A PDF of one A4 page: a title, then lines, in Helvetica. */
export function pdf(title: string, lines: readonly Line[]): Uint8Array {
  let y = page.height - page.margin;
  const drawn = [{ text: title, size: 22, above: 22 }, ...lines].map(({ text, size, above }) => {
    y -= above + size;
    return `BT /F1 ${size} Tf ${page.margin} ${y} Td ${literal(text)} Tj ET`;
  });
  const content = drawn.join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Contents 4 0 R ` +
      "/Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${Buffer.byteLength(content, "latin1")} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    `<< /Title ${literal(title)} >>`,
  ];
  let file = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = Buffer.byteLength(file, "latin1");
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = Buffer.byteLength(file, "latin1");
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const place of places) file += `${String(place).padStart(10, "0")} 00000 n \n`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 6 0 R >>\n`;
  file += `startxref\n${table}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}
