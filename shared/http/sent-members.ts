import type { APIGatewayProxyEventV2 as Event } from "aws-lambda";
import type * as z from "zod";
import { invalidField } from "../domain/request/app-error.ts";
import { bytesOf } from "./body-size.ts";

/** Refuses members sent to a route without a body. An empty body is accepted. */
export function noBody(event: Event): undefined {
  const text = bytesOf(event).toString("utf8");
  if (text.trim() === "") return undefined;
  const unknown = membersOf(text)[0];
  if (unknown !== undefined) throw invalidField(unknown, `The ${unknown} field is not allowed.`);
  return undefined;
}

/** The member names of a JSON object; anything else counts as one unknown member. */
function membersOf(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return Object.keys(value);
    }
  } catch {
    // The body is not JSON.
  }
  return ["body"];
}

/** The query parameters that were sent. An empty text filter counts as not sent. */
export function sentQuery(
  { queryStringParameters }: Event,
  query: z.ZodType,
): Record<string, unknown> {
  // Only objects have a shape.
  const known = "shape" in query ? (query.shape as object) : {};
  const typed = (name: string) => (name === "q" || name === "tag") && name in known;
  return Object.fromEntries(
    Object.entries(queryStringParameters ?? {}).filter(
      ([name, value]) => !typed(name) || value?.trim() !== "",
    ),
  );
}

/** Refuses query parameters sent to a route that has none. */
export function noQuery(event: Event): undefined {
  const unknown = Object.keys(event.queryStringParameters ?? {})[0];
  if (unknown !== undefined) throw invalidField(unknown, `The ${unknown} field is not allowed.`);
  return undefined;
}
