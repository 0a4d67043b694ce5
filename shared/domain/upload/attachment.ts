/** The longest name, in bytes of UTF-8: file systems take 255, and browsers add numbers to it. */
const longestStem = 200;

/**
 * The `Content-Disposition` of a file that is downloaded under its own name. As RFC 6266 says, `filename*` has the name in
 * any script, and `filename` an ASCII one for clients that do not read it.
 *
 * @param extension that of the file's type, which replaces the name's own
 */
export function attachmentNamed(filename: string, extension: string): string {
  const own = filename
    .replace(/\.[^.]*$/, "")
    .replaceAll(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff/\\:*?"<>|]+/gu, "-");
  const stem = shortened(own.replaceAll(/^[-.\s]+|[-.\s]+$/g, "") || "file");
  const ascii =
    stem.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replaceAll(/^[-.]+|[-.]+$/g, "") || "file";
  const plain = `attachment; filename="${ascii.slice(0, 80)}.${extension}"`;
  const isPlain = ascii === stem && ascii.length <= 80;
  return isPlain ? plain : `${plain}; filename*=UTF-8''${encoded(`${stem}.${extension}`)}`;
}

function shortened(stem: string): string {
  let [kept, bytes] = ["", 0];
  for (const { segment } of new Intl.Segmenter().segment(stem)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > longestStem) break;
    kept += segment;
  }
  return kept;
}

/** The text in the characters that RFC 5987 allows. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
