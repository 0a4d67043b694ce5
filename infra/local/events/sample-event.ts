import type { Consumer } from "#functions/consumers.ts";
import type { Family } from "#functions/families.ts";
import { fullPath } from "#shared/http/route.ts";
import type { HttpApiEvent } from "../gateway/http-api-event.ts";
import { asRecord } from "./queue-pump.ts";
import { routeTable } from "../gateway/route-table.ts";

/**
 * Completes an event that a tool made, such as `sam local generate-event apigateway http-api-proxy`: with the route of
 * its method and path, and header names in lower case. API Gateway does both.
 */
export function routedEvent(event: HttpApiEvent, { routes }: Family): HttpApiEvent {
  const { method } = event.requestContext.http;
  const headers = Object.fromEntries(
    Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const patterns = routes.map((route) => ({ method: route.method, path: fullPath(route) }));
  const segments = event.rawPath.slice(1).split("/");
  const matched =
    event.routeKey === "$default" ? routeTable(patterns)(method, segments) : undefined;
  if (!matched) return { ...event, headers };
  const { route, params } = matched;
  const routeKey = `${route.method} ${route.path}`;
  return {
    ...event,
    routeKey,
    headers,
    pathParameters: params ?? {},
    requestContext: { ...event.requestContext, routeKey },
  };
}

/** The event with which a queue delivers what another service sent to it, such as the event of `s3 put`. */
export function queuedEvent(event: unknown, { source }: Consumer): unknown {
  if (source.kind !== "queue" || isFromQueue(event)) return event;
  const message = {
    MessageId: "sample",
    Body: JSON.stringify(event),
    Attributes: { ApproximateReceiveCount: "1", SentTimestamp: String(Date.now()) },
  };
  return { Records: [asRecord(message, source.queue)] };
}

const isFromQueue = (event: unknown): boolean =>
  typeof event === "object" &&
  event !== null &&
  "Records" in event &&
  Array.isArray(event.Records) &&
  event.Records.every((record: { eventSource?: string }) => record.eventSource === "aws:sqs");
