import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import type { Route } from "#shared/http/route.ts";
import type { Reply } from "./client.ts";
import { errorCodes, statusOf } from "#shared/domain/request/app-error.ts";

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

/** The documented error envelope. */
export interface Problem {
  message: string;
  code: string;
  errors?: Record<string, string[]>;
  details?: Record<string, unknown>;
  request_id: string;
}

const members = new Set(["message", "code", "errors", "details", "request_id"]);
const internals = /node_modules|\bat \w+.*:\d+:\d+|\.ts:|ZodError|TypeError|dynamo|sqlite/i;

/** What is wrong with the response to bad input; undefined if it is a success or a clear refusal. */
export function faultOf({ status, body, headers, text }: Reply): string | undefined {
  if (status >= 500) return `${status}: ${text.slice(0, 200)}`;
  if (!headers.has("x-request-id")) return `${status} without X-Request-Id: ${text.slice(0, 200)}`;
  if (status < 400) return undefined;
  const problem = body as Problem | undefined;
  if (!problem?.message) return `${status} without a message: ${text.slice(0, 200)}`;
  const code = errorCodes.find((known) => known === problem.code);
  if (code === undefined || statusOf(code) !== status) return `${status} with code ${problem.code}`;
  if (problem.request_id !== headers.get("x-request-id"))
    return "the body has another request id than the header";
  if (Object.keys(problem).some((member) => !members.has(member))) return `undeclared: ${text}`;
  if ((status === 422) !== (problem.errors !== undefined) && problem.code === "validation_failed") {
    return `\`errors\` must be present if the status is 422, and only then: ${text}`;
  }
  const sentences = Object.values(problem.errors ?? {}).flat();
  if (sentences.some((sentence) => !/^[A-Z].*[.!]$/s.test(sentence))) return `no sentence: ${text}`;
  return internals.test(text) ? `internals: ${text.slice(0, 300)}` : undefined;
}
