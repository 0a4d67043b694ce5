import { errorCodes, statusOf } from "#shared/domain/request/app-error.ts";
import type { Reply } from "./client.ts";

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
