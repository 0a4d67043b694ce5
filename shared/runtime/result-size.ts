/** Lambda's limit for a function's result, which it encodes as JSON. */
const maxResultBytes = 6 * 1024 * 1024;
/** Room for what a result has beside its body: status and headers. */
const besideBody = 16 * 1024;

/**
 * Whether a text fits into a function's result as its body. Encoding it as a JSON string escapes its quotes, so a JSON
 * document grows by a tenth to a third, and a text of quotes to the double.
 */
export function fitsIntoResult(body: string): boolean {
  const most = maxResultBytes - besideBody;
  // No character takes more than six bytes.
  if (body.length * 6 <= most) return true;
  return Buffer.byteLength(JSON.stringify(body)) <= most;
}
