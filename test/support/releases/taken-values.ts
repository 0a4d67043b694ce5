import type { Route } from "#shared/http/route.ts";
import { nameOf } from "../calls/every-call.ts";
import {
  type EarlyValue,
  earlierValues,
  earlyValuesOf,
  type EnumValues,
  membersOf,
} from "./earlier.ts";

/** A route, and the entities that its function may write. */
interface WritingRoute {
  readonly route: Pick<Route, "method" | "path" | "request">;
  readonly writes: readonly string[];
}

/** What the requests of these routes accept, although the previous release cannot read it, one text each. */
export function takenEarly(routes: readonly WritingRoute[], listed: EnumValues): string[] {
  const early = earlyValuesOf(listed);
  if (early.length === 0) return [];
  return routes.flatMap(({ route, writes }) => {
    const { body: schema } = route.request;
    if (!schema) return [];
    const members = [...membersOf({ name: "body", schema: schema as never })];
    return early
      .filter((each) =>
        members.some(([path, values]) => takes(path, values, each, { listed, writes })),
      )
      .map(({ value }) => `${nameOf(route)} takes ${value}`);
  });
}

/**
 * Whether a member of a request may be stored as this value. An enum is recognized by an earlier value that it accepts
 * as well; a nullable member by its name, in a function that writes the entity.
 */
function takes(
  path: string,
  values: ReadonlySet<unknown>,
  early: EarlyValue,
  { listed, writes }: { listed: EnumValues; writes: readonly string[] },
): boolean {
  if (!values.has(early.value)) return false;
  if (early.value === null)
    return writes.includes(early.entity) && nameIn(path.split(".")) === nameIn(early.path);
  return earlierValues(listed, early).some((each) => each !== null && values.has(each));
}

/** The last name of a path, which may end in the elements of a list or the entries of a map. */
const nameIn = (path: readonly string[]): string | undefined =>
  path.findLast((part) => part !== "[]" && part !== "{}");
