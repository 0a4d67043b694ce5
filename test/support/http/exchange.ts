/** A request of a test, and what came back, in two lines of text. */
export interface Exchange {
  readonly request: string;
  readonly answer: string;
}

/** How much of a body is shown. */
const longestBody = 400;

/** The value of a JSON member, or of a parameter in a query, that proves who somebody is. */
const secrets = /((?:token|secret|password|otp|signature)\w*(?:"\s*:\s*"|=))[^"&\s]+/gi;
const bearers = /\b(?:eyJ[\w-]+\.[\w-]+\.[\w-]+|Bearer [\w.-]+)/g;

function shortened(text: string): string {
  const masked = text.replaceAll(secrets, "$1***").replaceAll(bearers, "***");
  return masked.length > longestBody ? `${masked.slice(0, longestBody)}…` : masked;
}

/** The exchange as a failure shows it: bodies shortened, tokens masked. */
export function exchangeOf(
  sent: { readonly method: string; readonly path: string; readonly body?: unknown },
  answer: { readonly status: number; readonly text: string } | undefined,
): Exchange {
  const { method, path, body } = sent;
  const said =
    body === undefined ? "" : typeof body === "string" ? body : `(${lengthOf(body)} bytes)`;
  return {
    request: `${method} ${shortened(path)} ${shortened(said)}`.trimEnd(),
    answer:
      answer === undefined ? "no answer" : `${answer.status} ${shortened(answer.text)}`.trimEnd(),
  };
}

const lengthOf = (body: unknown): number => (body instanceof Uint8Array ? body.byteLength : 0);

let last: Exchange | undefined;

/** Remembers the last exchange of the current test, to show it if the test fails. */
export function noteExchange(...parts: Parameters<typeof exchangeOf>): void {
  last = exchangeOf(...parts);
}

/** The last exchange since `forgetExchange`. */
export const lastExchange = (): Exchange | undefined => last;

export function forgetExchange(): void {
  last = undefined;
}
