import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import type { Route } from "#shared/http/route.ts";
import type { Reply } from "./client.ts";

/** A schema that is no strict one leaves undeclared members out: then the two differ. */
function differs(schema: z.ZodType | undefined, given: unknown): boolean {
  if (schema === undefined) return given !== undefined;
  const { data, success } = schema.safeParse(given);
  return !success || !isDeepStrictEqual(data, given);
}

/**
 * In what an answer of success is not exactly what its route declares; undefined where it is.
 *
 * @param mediaBaseUrl the declared schemas speak of stored media addresses, which leave as URLs below this one
 */
export function differenceOf(
  { response }: Route,
  { status, text, body }: Reply,
  mediaBaseUrl: string,
): string | undefined {
  if (![response.status, ...(response.alsoAnswers ?? [])].includes(status)) {
    return `${status}: ${text.slice(0, 300)}`;
  }
  if (response.data === undefined && response.document === undefined) {
    return text === "" ? undefined : `a body: ${text.slice(0, 300)}`;
  }
  const stored: unknown =
    body === undefined ? undefined : JSON.parse(text.replaceAll(`"${mediaBaseUrl}/`, '"media://'));
  if (response.document) return differs(response.document, stored) ? "the document" : undefined;
  const { data, meta, links, ...others } = (stored ?? {}) as Record<string, unknown>;
  if (differs(response.data, data)) return `data: ${text.slice(0, 300)}`;
  if (differs(response.meta, meta)) return `meta: ${JSON.stringify(meta)}`;
  if ((links !== undefined) !== (response.links ?? false)) return "links";
  const [other] = Object.keys(others);
  return other === undefined ? undefined : `${other} beside data`;
}
