import type { Member } from "../http/schema-members.ts";

/** The size of a hostile member: just small enough for the maximum size of a body. */
export const hostileBytes = 240_000;

/** A kind of hostile text. `of` returns one that has about this many bytes as JSON. */
export interface HostileText {
  readonly kind: string;
  of(bytes: number): string;
}

/** Texts that repeat a unit between a start and an end. */
const repeated = (kind: string, unit: string, start = "", end = ""): HostileText => {
  const width = Buffer.byteLength(JSON.stringify(unit)) - 2;
  return {
    kind,
    of: (bytes) => start + unit.repeat(Math.max(1, Math.floor(bytes / width))) + end,
  };
};

/** Texts that are slow to normalize, match, sanitise or parse. */
export const hostileTexts: readonly HostileText[] = [
  // Combining classes in descending order, which normalizing must sort.
  repeated("combining marks", "\u0301\u0316", "a"),
  repeated("letters that normalizing makes longer", "\ufdfa"),
  repeated("spaces", " ", "a", "a"),
  repeated("digits", "1"),
  repeated("halves of surrogate pairs", "\ud800"),
  repeated("joined letters", "a-", "", "a"),
  repeated("labels of a host name", "a.", "a@"),
  repeated("nested tags", "<b>"),
];

/** Long, wide or deep values. */
export const hostileShapes: readonly { readonly kind: string; of(bytes: number): string }[] = [
  { kind: "a list of numbers", of: (bytes) => `[${"0,".repeat(bytes / 2)}0]` },
  { kind: "a list of objects", of: (bytes) => `[${"{},".repeat(bytes / 3)}{}]` },
  { kind: "a list of lists", of: (bytes) => `[${"[],".repeat(bytes / 3)}[]]` },
  { kind: "a list of texts", of: (bytes) => `[${'"a",'.repeat(bytes / 4)}"a"]` },
  { kind: "lists in lists", of: (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2) },
  {
    kind: "objects in objects",
    of: (bytes) => `${'{"a":'.repeat(bytes / 6)}0${"}".repeat(bytes / 6)}`,
  },
  {
    kind: "many members",
    of: (bytes) =>
      `{${Array.from({ length: bytes / 12 }, (_, number) => `"m${number}":0`).join(",")}}`,
  },
];

/** A list with the maximum number of elements, which share `hostileBytes` equally. */
export const fullList = ({ maxItems = 20 }: Member, element: (bytes: number) => string): string => {
  const share = Math.floor(hostileBytes / maxItems) - 2;
  return `[${Array.from({ length: maxItems }, () => element(share)).join(",")}]`;
};
