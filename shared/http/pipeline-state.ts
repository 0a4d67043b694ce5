import type middy from "@middy/core";
import type { APIGatewayProxyEventV2 as Event, Context } from "aws-lambda";
import type { Claims, Identity, SessionState } from "../auth/identity.ts";
import type { Admission } from "../auth/rate-limit.ts";
import type { RateCounters } from "../domain/request/rate-limits.ts";
import type { Log } from "../runtime/log.ts";
import type { HttpAnswer } from "./answers.ts";
import type { PublicMemory } from "../runtime/public-memory.ts";
import {
  type RouteAddress,
  type FilledForm,
  type HandlerResult,
  type Route,
  routeKey,
} from "./route.ts";

/** The dependencies that `serve` itself uses. */
export interface FrameDeps {
  log?: Log;
  /** Required if any route has the access `customer` or `optional`. */
  customerIdentity?: Identity;
  /** Required if any route has the access `staff`. */
  staffIdentity?: Identity;
  /** Required if any route declares a `limit`. */
  rates?: RateCounters;
  /** Public URL of the media library. Without it, responses contain addresses as stored. */
  mediaBaseUrl?: string;
  /** Required if any route is `remembered`. */
  memory?: PublicMemory;
  /** Every public route. Set in the function that answers requests which match no route. */
  everyRoute?: readonly RouteAddress[];
}

/**
 * The state of one request, Middy's `request.internal`. Each step sets what later steps need, in this order. It is a
 * type, because Middy takes no interface.
 */
export type PipelineState = {
  /** The routes of the request's resource by their keys, while they load; undefined if there is no such resource. */
  routes?: Promise<ReadonlyMap<string, Route<FrameDeps>>>;
  ip: string;
  route: Route<FrameDeps>;
  deps: FrameDeps;
  now: Date;
  /** Undefined for a guest. */
  claims: Claims | undefined;
  /** The session check, the rate counter and the route's `open` read, which run while the body is parsed. */
  session?: Promise<SessionState>;
  admission?: Promise<Admission>;
  opened?: Promise<unknown>;
  /** The form that was sent instead of JSON. */
  form?: FilledForm;
  /** What the route's handler returned. */
  result: HandlerResult;
};

export type PipelineRequest = middy.Request<Event, HttpAnswer, Error, Context, PipelineState>;

/** A step of the pipeline. It refuses a request by an error. The first answer that a step returns ends the pipeline. */
export type PipelineStep = (
  request: PipelineRequest,
) => HttpAnswer | undefined | void | Promise<HttpAnswer | undefined | void>;

/** Starts work that a later step awaits, and keeps its failure from being an unhandled rejection until then. */
export function awaitedLater<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined);
  return work;
}

/** A dependency that the route's declaration requires. */
export function requiredPart<Value>(value: Value | undefined, route: Route, name: string): Value {
  if (value) return value;
  throw new TypeError(`${routeKey(route)} needs its function to have \`${name}\``);
}
