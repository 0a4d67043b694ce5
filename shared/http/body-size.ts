import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { AppError, invalidField } from "../domain/request/app-error.ts";
import type { PipelineStep } from "./pipeline-state.ts";

type Sent = Pick<APIGatewayProxyEventV2, "body" | "isBase64Encoded">;

const maxBodyBytes = 256 * 1024;

/** Refuses a body that is larger than its route accepts. */
export const checkSize: PipelineStep = ({ event, internal: { route } }) => {
  const form = route.form?.matches(event) ? route.form : undefined;
  const { maxBytes = maxBodyBytes } = form ?? route.request.raw ?? {};
  if (byteLength(event) > maxBytes) throw new AppError("payload_too_large");
};

/** The size of a request body in bytes, as sent. */
function byteLength({ body, isBase64Encoded }: Sent): number {
  if (!body) return 0;
  return isBase64Encoded ? Math.floor((body.length * 3) / 4) : Buffer.byteLength(body);
}

export const bodyBytes = ({ body = "", isBase64Encoded }: Sent): Buffer =>
  Buffer.from(body, isBase64Encoded ? "base64" : "utf8");

/**
 * An upper bound of the number of values in a JSON text, and its nesting depth, without parsing it. Parsing and
 * validating cost CPU per value, and 256 KB can hold 120,000 of them; the parser recurses for each level.
 */
function extentOf(json: string): { values: number; depth: number } {
  let [values, depth, deepest] = [1, 0, 0];
  let quoted = false;
  for (let at = 0; at < json.length; at++) {
    const mark = json[at];
    if (mark === "\\") at += 1;
    else if (mark === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (mark === ",") values += 1;
    else if (mark === "[" || mark === "{") {
      values += 1;
      deepest = Math.max(deepest, ++depth);
    } else if (mark === "]" || mark === "}") depth -= 1;
  }
  return { values, depth: deepest };
}

const maxBodyValues = 10_000;
const maxBodyNesting = 64;

/** @throws AppError if a JSON text has too many values or levels to be parsed */
export function requireSimple(body: string): void {
  const { values, depth } = extentOf(body);
  if (values > maxBodyValues) {
    const message = `The body must contain at most ${maxBodyValues} values.`;
    throw new AppError("payload_too_large", { message });
  }
  if (depth > maxBodyNesting) {
    throw invalidField("body", `The body must be nested at most ${maxBodyNesting} levels deep.`);
  }
}
