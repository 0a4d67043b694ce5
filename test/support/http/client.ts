import { randomInt } from "node:crypto";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { noteExchange } from "./exchange.ts";
import { ask } from "./in-process.ts";

export interface Reply<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; undefined without a body. */
  readonly body: Body;
  readonly text: string;
}

type HeaderFields = Readonly<Record<string, string>>;

interface Outgoing {
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: HeaderFields;
}

/** A client with its own IP address, so that no other test uses up its rate limits. */
export interface Client {
  readonly ip: string;
  get<Body>(path: string, headers?: HeaderFields): Promise<Reply<Body>>;
  post<Body>(path: string, body: unknown, headers?: HeaderFields): Promise<Reply<Body>>;
  put<Body>(path: string, body: unknown, headers?: HeaderFields): Promise<Reply<Body>>;
  patch<Body>(path: string, body: unknown, headers?: HeaderFields): Promise<Reply<Body>>;
  delete<Body>(path: string, headers?: HeaderFields): Promise<Reply<Body>>;
  /** Sends exactly this request; `path` includes the API prefix. */
  send<Body>(method: string, path: string, init?: Outgoing): Promise<Reply<Body>>;
}

const anAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

/**
 * The PDF of a document. A confirmation is drawn when its link is opened first; until then the link answers 202.
 *
 * @throws Error that names the status while there is no file
 */
export async function fileOfDocument(
  baseUrl: string,
  { url }: { readonly url: string },
): Promise<Buffer> {
  const { pathname } = new URL(url);
  const headers = { "x-forwarded-for": anAddress() };
  const answer = pathname.startsWith(apiPrefix)
    ? await ask(baseUrl, pathname, { method: "GET", headers })
    : await fetch(url);
  const type = answer.headers.get("content-type");
  if (answer.status !== 200 || type !== "application/pdf") {
    throw new Error(`${pathname} answered ${answer.status} with ${type}`);
  }
  return Buffer.from(await answer.arrayBuffer());
}

/**
 * @param baseUrl without a trailing slash
 * @param ip by default one of its own
 */
export function clientOf(baseUrl: string, ip: string = anAddress()): Client {
  const send: Client["send"] = async <Body>(
    method: string,
    path: string,
    { body, headers = {} }: Outgoing = {},
  ): Promise<Reply<Body>> => {
    const sent = {
      method,
      headers: { accept: "application/json", "x-forwarded-for": ip, ...headers },
      ...(body !== undefined && { body }),
    };
    noteExchange({ ...sent, path }, undefined);
    const answer = await ask(baseUrl, path, sent);
    const text = await answer.text();
    noteExchange({ ...sent, path }, { status: answer.status, text });
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
    return {
      status: answer.status,
      headers: answer.headers,
      body: (isJson && text !== "" ? JSON.parse(text) : undefined) as Body,
      text,
    };
  };
  const write =
    (method: string) =>
    <Body>(path: string, body: unknown, headers: HeaderFields = {}) =>
      send<Body>(method, apiPrefix + path, {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      });

  return {
    ip,
    send,
    get: (path, headers = {}) => send("GET", apiPrefix + path, { headers }),
    post: write("POST"),
    put: write("PUT"),
    patch: write("PATCH"),
    delete: (path, headers = {}) => send("DELETE", apiPrefix + path, { headers }),
  };
}
