import type { ParsedJson } from "../domain/base/parsed-json.ts";
import { apiPrefix } from "../domain/request/api-path.ts";
import type { Actor } from "../domain/request/identity.ts";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type * as z from "zod";
import type { Permission } from "../domain/staff/permission.ts";
import type { ResponseHeader } from "./response-headers.ts";
import type { ErrorCode } from "../domain/request/app-error.ts";
import type { Admission } from "../auth/rate-limit.ts";
import type { LimitName } from "../domain/request/rate-limits.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Who may call a route. There is no default: a route without `access` does not compile. */
export type RouteAccess =
  | { readonly guard: "none" }
  | {
      readonly guard: "optional";
      /**
       * Headers of which a guest must send at least one. A guest who sends none is refused like a caller of a guarded
       * route without a token.
       */
      readonly guestSends?: readonly string[];
    }
  | { readonly guard: "customer" }
  | {
      readonly guard: "staff";
      readonly permission: Permission | null;
      /** Another permission that suffices. */
      readonly or?: Permission;
      /** Also allows staff who still have to enrol the second factor that their role requires. */
      readonly beforeEnrolment?: true;
    };

/** Everybody may call the route, and no token is read. */
export const anyone: RouteAccess = { guard: "none" };
/** A guest or a customer: without an `Authorization` header the caller is a guest; an invalid token is refused. */
export const optionalCustomer: RouteAccess = { guard: "optional" };
/** A signed-in customer. */
export const customer: RouteAccess = { guard: "customer" };
/** A staff user whose role grants the permission, or the one in `or`; null for any staff user. */
export const staff = (permission: Permission | null, or?: Permission): RouteAccess => ({
  guard: "staff",
  permission,
  ...(or && { or }),
});
/** Any staff user, including those who still have to enrol the second factor that their role requires. */
export const staffBeforeEnrolment: RouteAccess = {
  guard: "staff",
  permission: null,
  beforeEnrolment: true,
};

/**
 * Whether API Gateway refuses callers without an `Authorization` header and calls the authorizer for all other callers.
 */
export const isGuarded = ({ access }: Pick<Route, "access">): boolean =>
  access.guard === "customer" || access.guard === "staff";

export type Schema = z.ZodType;
type Parsed<S> = S extends Schema ? z.output<S> : undefined;

export interface PageLinks {
  first: string;
  prev: string | null;
  next: string | null;
  last: string;
}

/** A handler's result. `data` is parsed by the declared schema, which drops undeclared members. */
export interface Answer<Data = unknown, Meta = never> {
  data: Data;
  meta?: Meta;
  links?: PageLinks;
  /** Overrides the declared status. */
  status?: number;
  headers?: Record<string, string>;
  /** The record's version, sent as `ETag: "v<version>"`. */
  version?: number;
  /**
   * For a route that declares `remembered`: when the answer changes without any write, such as at the start of an
   * announcement; left out if only writes change it.
   */
  validUntil?: Date | undefined;
}

/** A list of a route that declares `serialized`. */
export interface SerializedList<Meta = never> {
  rows: readonly ParsedJson[];
  meta: Meta;
  links?: PageLinks;
}

/** A JSON body that is already serialized, such as the OpenAPI document. */
export interface SerializedDocument {
  json: string;
}

/** A plain-text body, for handshakes of other systems. */
export interface TextAnswer {
  text: string;
}

/** A file, sent unchanged. */
export interface FileAnswer {
  file: Uint8Array;
  /** Its content type, and its encoding if it has one. */
  headers: Record<string, string>;
  /** Overrides the declared status, such as for a redirect to a file that is too large for a response. */
  status?: number;
}

/** Every kind of result that a handler may return. */
export type HandlerResult =
  | Answer<unknown, unknown>
  | SerializedList<unknown>
  | SerializedDocument
  | TextAnswer
  | FileAnswer
  | void;

/** A parsed request. */
export interface Call<
  Body = unknown,
  Query = unknown,
  Params = unknown,
  Headers = unknown,
  First = unknown,
  Opened = unknown,
> {
  body: Body;
  query: Query;
  params: Params;
  headers: Headers;
  actor: Actor;
  /** The permissions of the staff user's role. */
  permissions: readonly string[];
  /** The highest discount that the staff user may give, in basis points; 0 for anybody else. */
  maxDiscountBps: number;
  /** The result of the route's `open` read. */
  opened: Opened;
  /** The result of the route's `first` read. */
  first: First;
  /**
   * The result of counting the request against the route's rate limit; undefined without a limit. The pipeline calls
   * `succeeded` after the handler. A handler may call it earlier, so that the count is corrected while it writes.
   */
  admission: Admission | undefined;
  ip: string;
  /** The host that the request came to. */
  host: string;
  /** The User-Agent header; null if missing. */
  agent: string | null;
  requestId: string;
  now: Date;
  /** Set if the caller sent `Idempotency-Key` to a route that supports it; always set if the route requires it. */
  idempotencyKey: string | null;
  /** Hash of the parsed body, to tell a repeated request from another request with the same idempotency key. */
  bodyHash: string;
  /** The uploaded file, if the route accepts a form and the caller sent one. */
  file?: Uint8Array<ArrayBuffer> | undefined;
  /** The unparsed body, if the route declares `raw`; empty if none was sent. */
  rawBody?: Buffer | undefined;
}

/** A request before its first read. */
export type CallBefore<Full extends Call> = Omit<
  Full,
  "opened" | "first" | "permissions" | "maxDiscountBps" | "admission"
>;

/** A request whose body has not been read yet. */
type CallHead<Full extends Call> = Omit<CallBefore<Full>, "body" | "bodyHash" | "file" | "rawBody">;

/** A parsed form: its fields in the shape of a JSON body, and its file. */
export interface FilledForm {
  readonly body: unknown;
  readonly file: Uint8Array<ArrayBuffer>;
}

/** Another body format that a route accepts besides JSON, with its own size limit; created by `fileForm`. */
export interface BodyForm {
  readonly maxBytes: number;
  matches(event: APIGatewayProxyEventV2): boolean;
  read(event: APIGatewayProxyEventV2): Promise<FilledForm>;
}

interface RequestSchemas {
  body?: Schema;
  query?: Schema;
  params?: Schema;
  /** Header names in lower case. */
  headers?: Schema;
  /**
   * The handler receives the body as bytes of any content type, for example to verify their signature. Replaces `body`
   * and has its own size limit.
   */
  raw?: { readonly maxBytes: number };
}

/** The unparsed members of a request. */
type BytesOf<Req extends RequestSchemas> = Req extends { raw: object }
  ? { rawBody: Buffer }
  : unknown;

interface ResponseSchemas {
  status: number;
  /** Other success statuses with the same body, such as 200 if the record to create existed already. */
  alsoAnswers?: readonly number[];
  /** Undefined if the response has no body (204) or no envelope (`document`). */
  data?: Schema;
  meta?: Schema;
  /**
   * The handler returns the list's rows as JSON text from the index. The index writer has already dropped undeclared
   * members.
   */
  serialized?: true;
  /** Whether the list has numbered pages and therefore `links`. */
  links?: boolean;
  /** Headers that a response may have besides those that the declaration implies (`headersOf`). */
  headers?: readonly ResponseHeader[];
  /** A whole body without the `data` envelope, such as the API description. */
  document?: Schema;
  /** A plain-text body. */
  text?: true;
  /** A file as the body. */
  file?: true;
}

/** A declared endpoint. Read by the router, the guard, validation, OpenAPI, CDK, the local gateway and the tests. */
export interface Route<Deps = never> {
  readonly method: Method;
  /** Relative to `/api/v1` unless `outsideApi` is set. */
  readonly path: string;
  /** True if the path is outside `/api/v1` and the OpenAPI document. */
  readonly outsideApi?: boolean;
  /** The id in the OpenAPI document, if not the one that follows from the route's export or path. */
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: RouteAccess;
  readonly request: RequestSchemas;
  readonly response: ResponseSchemas;
  /** Error codes besides those that the declaration implies. */
  readonly errors?: readonly ErrorCode[];
  /** `public`: anyone may cache the response, which has a strong ETag. Default: `private, no-store`. */
  readonly cache?: "public";
  /**
   * Keeps the answers of a route with `cache: "public"` in the function's memory, while nothing public has changed.
   * `true` requires that the route's reads are strongly consistent; otherwise `seconds` states how long an answer is
   * kept.
   */
  readonly remembered?: true | { readonly seconds: number };
  /** With the query parameter `preview`, the route answers a draft: never from memory, and not cacheable. */
  readonly previewed?: true;
  readonly limit?: LimitName;
  /** The kind under which the route logs changes by staff, if its declaration knows it. */
  readonly logs?: string;
  /**
   * Parses the body while the rate counter is written, so that `first` runs concurrently with it. The counter's refusal
   * still comes before any refusal of the body.
   */
  readonly parsesEarly?: true;
  /**
   * Supports `Idempotency-Key`. `required`: a request without the key is refused, because its effect must not happen
   * twice. A preview, which has no effect, needs none.
   */
  readonly idempotent?: true | "required";
  /** Also accepts a form with a file; `request.body` validates its members. */
  readonly form?: BodyForm;
  /**
   * The first storage read. It runs concurrently with the session check and, if the route has no body or
   * `parsesEarly`, with the rate counter, so that all take one round trip. It must not write, because the session is
   * not verified yet.
   */
  first?(call: CallBefore<Call>, deps: Deps): Promise<unknown>;
  /**
   * A storage read that does not need the body. It runs concurrently with the rate counter, before the body is parsed.
   * It must not write, because the counter may refuse the request.
   */
  open?(call: CallHead<Call>, deps: Deps): Promise<unknown>;
  handle(call: Call, deps: Deps): Promise<HandlerResult>;
}

type MetaOf<Res extends ResponseSchemas> = Res extends { meta: infer M extends Schema }
  ? z.input<M>
  : never;

type Reply<Res extends ResponseSchemas> = Res extends { data: infer D extends Schema }
  ? Res extends { serialized: true }
    ? SerializedList<MetaOf<Res>>
    : Answer<z.input<D>, MetaOf<Res>> & (Res extends { meta: Schema } ? { meta: unknown } : unknown)
  : Res extends { document: Schema }
    ? SerializedDocument
    : Res extends { text: true }
      ? TextAnswer
      : Res extends { file: true }
        ? FileAnswer
        : void;

/**
 * Declares an endpoint. The types of `call` follow from the schemas of `request`, the type of the result from those
 * of `response`.
 */
export function route<
  Deps,
  const Req extends RequestSchemas,
  const Res extends ResponseSchemas,
  First = undefined,
  Opened = undefined,
>(
  declaration: Omit<Route<Deps>, "request" | "response" | "first" | "open" | "handle"> & {
    request: Req;
    response: Res;
    open?(
      call: CallHead<
        Call<undefined, Parsed<Req["query"]>, Parsed<Req["params"]>, Parsed<Req["headers"]>>
      >,
      deps: Deps,
    ): Promise<Opened>;
    first?(
      call: CallBefore<
        Call<
          Parsed<Req["body"]>,
          Parsed<Req["query"]>,
          Parsed<Req["params"]>,
          Parsed<Req["headers"]>
        >
      > &
        BytesOf<Req>,
      deps: Deps,
    ): Promise<First>;
    handle(
      call: Call<
        Parsed<Req["body"]>,
        Parsed<Req["query"]>,
        Parsed<Req["params"]>,
        Parsed<Req["headers"]>,
        First,
        Opened
      > &
        BytesOf<Req>,
      deps: Deps,
    ): Promise<Reply<Res>>;
  },
): Route<Deps> {
  return declaration;
}

export type RouteAddress = Pick<Route, "method" | "path" | "outsideApi">;

/** The path as clients see it. */
export function fullPath(of: Omit<RouteAddress, "method">): string {
  return of.outsideApi ? of.path : apiPrefix + of.path;
}

/** API Gateway's name of a route, such as `GET /api/v1/products/{slug}`. */
export function routeKey(of: RouteAddress): string {
  return `${of.method} ${fullPath(of)}`;
}

/** The key of the called method's route: API Gateway may have one route for every method of a path. */
export function calledKey({
  routeKey,
  requestContext,
}: Pick<APIGatewayProxyEventV2, "routeKey" | "requestContext">): string {
  return routeKey.startsWith("ANY ")
    ? requestContext.http.method + routeKey.slice("ANY".length)
    : routeKey;
}
