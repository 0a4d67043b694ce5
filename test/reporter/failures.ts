import type { Exchange } from "#test/support/http/exchange.ts";

/** What is known of a failure. */
export interface Failure {
  readonly file: string;
  readonly line: number | undefined;
  /** Titles from the outermost `describe` on; empty if the file itself failed. */
  readonly title: string;
  readonly messages: readonly string[];
  readonly exchange?: Exchange | undefined;
}

/** Lines of a message that are shown; the whole message stands above, with its diff. */
const shownLines = 6;

/** The list with which a failed run ends: where, what, and with which request and answer. */
export function failureList(failures: readonly Failure[]): string {
  const count = failures.length === 1 ? "1 failure" : `${failures.length} failures`;
  return ["", `${count}:`, ...failures.flatMap((failure) => ["", ...linesOf(failure)])].join("\n");
}

function linesOf({ file, line, title, messages, exchange }: Failure): string[] {
  const place = line === undefined ? file : `${file}:${line}`;
  return [
    title === "" ? place : `${place}  ${title}`,
    ...messages.flatMap((message) => message.split("\n").slice(0, shownLines)).map(indented),
    ...(exchange ? [exchange.request, `→ ${exchange.answer}`].map(indented) : []),
  ];
}

const indented = (line: string): string => `    ${line}`;
