import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { AppError, invalidField } from "../domain/request/app-error.ts";
import type { Step } from "./pipeline-state.ts";

type Sent = Pick<APIGatewayProxyEventV2, "body" | "isBase64Encoded">;

const maxBodyBytes = 256 * 1024;

/** Refuses a body that is larger than its route accepts. */
export const checkSize: Step = ({ event, internal: { route } }) => {
  const form = route.form?.matches(event) ? route.form : undefined;
  const { maxBytes = maxBodyBytes } = form ?? route.request.raw ?? {};
  if (byteLength(event) > maxBytes) throw new AppError("payload_too_large");
};

/** The size of a request body in bytes, as sent. */
function byteLength({ body, isBase64Encoded }: Sent): number {
  if (!body) return 0;
  return isBase64Encoded ? Math.floor((body.length * 3) / 4) : Buffer.byteLength(body);
}

export const bytesOf = ({ body = "", isBase64Encoded }: Sent): Buffer =>
  Buffer.from(body, isBase64Encoded ? "base64" : "utf8");

/**
 * An upper bound of the number of values in a JSON text, without parsing it. Parsing and validating cost CPU per
 * value, and 256 KB can hold 120,000 of them.
 */
export function countValues(json: string): number {
  let values = 1;
  let quoted = false;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case "\\":
        at += 1;
        break;
      case '"':
        quoted = !quoted;
        break;
      case ",":
      case "[":
      case "{":
        if (!quoted) values += 1;
        break;
    }
  }
  return values;
}

/** The nesting depth of a JSON text, without parsing it, because the parser recurses for each level. */
export function nestingOf(json: string): number {
  let [depth, deepest] = [0, 0];
  let quoted = false;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case "\\":
        at += 1;
        break;
      case '"':
        quoted = !quoted;
        break;
      case "[":
      case "{":
        if (!quoted) deepest = Math.max(deepest, ++depth);
        break;
      case "]":
      case "}":
        if (!quoted) depth -= 1;
        break;
    }
  }
  return deepest;
}

const maxBodyValues = 10_000;
const maxBodyNesting = 64;

/** @throws AppError if a JSON text has too many values or levels to be parsed */
export function requireSimple(body: string): void {
  if (countValues(body) > maxBodyValues) {
    const message = `The body must contain at most ${maxBodyValues} values.`;
    throw new AppError("payload_too_large", { message });
  }
  if (nestingOf(body) > maxBodyNesting) {
    throw invalidField("body", `The body must be nested at most ${maxBodyNesting} levels deep.`);
  }
}
