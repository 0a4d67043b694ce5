import { apiPrefix } from "../domain/request/api-path.ts";
import type { Actor } from "../domain/request/identity.ts";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type * as z from "zod";
import type { Permission } from "../domain/staff/permission.ts";
import type { ErrorCode } from "../domain/request/app-error.ts";
import type { LimitName } from "../domain/request/rate-limits.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Who may call a route. There is no default: a route without `access` does not compile. */
export type Access =
  | { readonly guard: "none" }
  | { readonly guard: "optional" }
  | { readonly guard: "customer" }
  | {
      readonly guard: "staff";
      readonly permission: Permission | null;
      /** Also allows staff who still have to enrol the second factor that their role requires. */
      readonly beforeEnrolment?: true;
    };

/** No token is read. */
export const anyone: Access = { guard: "none" };
/** A guest or a customer: without an `Authorization` header the caller is a guest; an invalid token is refused. */
export const optionalCustomer: Access = { guard: "optional" };
/** A signed-in customer. */
export const customer: Access = { guard: "customer" };
/** A staff user whose role grants the permission; null for any staff user. */
export const staff = (permission: Permission | null): Access => ({ guard: "staff", permission });
/** Any staff user, including those who still have to enrol the second factor that their role requires. */
export const staffBeforeEnrolment: Access = {
  guard: "staff",
  permission: null,
  beforeEnrolment: true,
};

/** Whether API Gateway refuses callers without an `Authorization` header and calls the authorizer for the others. */
export const isGuarded = ({ access }: Pick<Route, "access">): boolean =>
  access.guard === "customer" || access.guard === "staff";

type Schema = z.ZodType;
type Parsed<S> = S extends Schema ? z.output<S> : undefined;

export interface PageLinks {
  first: string;
  prev: string | null;
  next: string | null;
  last: string;
}

/** A handler's result. `data` is shaped by the declared schema: undeclared members are removed. */
export interface Answer<Data = unknown, Meta = never> {
  data: Data;
  meta?: Meta;
  links?: PageLinks;
  /** Overrides the declared status. */
  status?: number;
  headers?: Record<string, string>;
  /** The record's version, sent as `ETag: "v<version>"`. */
  version?: number;
}

/** A body that is already shaped and serialized. */
export interface ReadyAnswer {
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
}

/** Everything that a handler may return. */
export type Given = Answer<unknown, unknown> | ReadyAnswer | TextAnswer | FileAnswer | void;

/** A parsed request. */
export interface Call<
  Body = unknown,
  Query = unknown,
  Params = unknown,
  Headers = unknown,
  First = unknown,
> {
  body: Body;
  query: Query;
  params: Params;
  headers: Headers;
  actor: Actor;
  /** The permissions of the staff user's role. */
  permissions: readonly string[];
  /** The result of the route's `first` read. */
  first: First;
  ip: string;
  /** The User-Agent header; null if missing. */
  agent: string | null;
  requestId: string;
  now: Date;
  /** Set if the caller sent `Idempotency-Key` to a route that supports it; always set if the route requires it. */
  idempotencyKey: string | null;
  /** Hash of the parsed body, to tell a repeated request from a reused key. */
  bodyHash: string;
  /** The file of a form, where the route takes one and the caller sent it. */
  file?: Uint8Array<ArrayBuffer> | undefined;
  /** The body byte for byte, where the route declares `raw`; empty when nothing was sent. */
  rawBody?: Buffer | undefined;
}

/** What is known of a call before its first read. */
type CallBefore<Full extends Call> = Omit<Full, "first" | "permissions">;

/** What a form says: the body as JSON would have it, and a file. */
export interface FilledForm {
  readonly body: unknown;
  readonly file: Uint8Array<ArrayBuffer>;
}

/** Another kind of body that a route takes beside JSON, with a limit of its own; made by `fileForm`. */
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
   * The handler gets the body as the bytes that were sent, whatever their type: a signature is over those. In place of
   * `body`, with a limit of its own.
   */
  raw?: { readonly maxBytes: number };
}

/** What a call has beside its parsed parts. */
type BytesOf<Req extends RequestSchemas> = Req extends { raw: object }
  ? { rawBody: Buffer }
  : unknown;

interface ResponseSchemas {
  status: number;
  /** Other statuses of the same answer, where the call did less or more than usual. */
  alsoAnswers?: readonly number[];
  /** Left out where the answer has no body (204) or is not an envelope (`document`). */
  data?: Schema;
  meta?: Schema;
  /** Whether the list has numbered pages and so `links`. */
  links?: boolean;
  /** A whole body that is not wrapped in `data`, such as the interface description. */
  document?: Schema;
  /** A whole body of plain text. */
  text?: true;
  /** A whole body that is a file. */
  file?: true;
}

/** An endpoint as declared: read by the router, the guard, validation, OpenAPI, CDK, the local gateway and the tests. */
export interface Route<Deps = never> {
  readonly method: Method;
  /** Relative to `/api/v1` unless `outsideApi`. */
  readonly path: string;
  /** Lives outside `/api/v1` and outside the description. */
  readonly outsideApi?: boolean;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly request: RequestSchemas;
  readonly response: ResponseSchemas;
  /** Codes this endpoint can answer beyond those that its declaration implies. */
  readonly errors?: readonly ErrorCode[];
  /** `public`: cacheable by anyone, strong ETag, 304. Left out: private, no-store. */
  readonly cache?: "public";
  readonly limit?: LimitName;
  /** Honours `Idempotency-Key`; `required`: a call without one is refused, because what it does must not be done twice. */
  readonly idempotent?: true | "required";
  /** Takes a form with a file as well; `request.body` judges what it says. */
  readonly form?: BodyForm;
  /**
   * The first storage read, run beside the session check and the rate counter so that all share one round trip.
   * Whether the actor's session still counts is not known yet: it reads, and never writes.
   */
  first?(call: CallBefore<Call>, deps: Deps): Promise<unknown>;
  handle(call: Call, deps: Deps): Promise<Given>;
}

type Reply<Res extends ResponseSchemas> = Res extends { data: infer D extends Schema }
  ?
      | (Answer<z.input<D>, Res extends { meta: infer M extends Schema } ? z.input<M> : never> &
          (Res extends { meta: Schema } ? { meta: unknown } : unknown))
      | ReadyAnswer
  : Res extends { document: Schema }
    ? ReadyAnswer
    : Res extends { text: true }
      ? TextAnswer
      : Res extends { file: true }
        ? FileAnswer
        : void;

/**
 * Declares an endpoint. The types of `call` follow from the schemas of `request`,
 * the type of the answer from those of `response`.
 */
export function route<
  Deps,
  const Req extends RequestSchemas,
  const Res extends ResponseSchemas,
  First = undefined,
>(
  declaration: Omit<Route<Deps>, "request" | "response" | "first" | "handle"> & {
    request: Req;
    response: Res;
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
        First
      > &
        BytesOf<Req>,
      deps: Deps,
    ): Promise<Reply<Res>>;
  },
): Route<Deps> {
  return declaration;
}

/** Where a route is. */
export type Address = Pick<Route, "method" | "path" | "outsideApi">;

/** The path as clients see it. */
export function fullPath(of: Omit<Address, "method">): string {
  return of.outsideApi ? of.path : apiPrefix + of.path;
}

/** API Gateway's name of a route, such as `GET /api/v1/products/{slug}`. */
export function routeKey(of: Address): string {
  return `${of.method} ${fullPath(of)}`;
}
