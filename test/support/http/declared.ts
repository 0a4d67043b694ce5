import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import type { Route } from "#shared/http/route.ts";
import type { Reply } from "./client.ts";

/** Whether a value is invalid or has undeclared members, which parsing drops. */
function differs(schema: z.ZodType | undefined, value: unknown): boolean {
  if (schema === undefined) return value !== undefined;
  const { data, success } = schema.safeParse(value);
  return !success || !isDeepStrictEqual(data, value);
}

/**
 * How a success response differs from what its route declares; undefined if it does not.
 *
 * @param mediaBaseUrl the base URL of media: schemas declare media keys, and responses contain URLs
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
