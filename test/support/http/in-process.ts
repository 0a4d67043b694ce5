import inject from "light-my-request";
import type { Stack } from "#infra/local/stack.ts";

const listeners = new Map<string, Stack["listener"]>();
let sockets = false;

/** Whether the calls of the current test file go through sockets. */
export function useSockets(use: boolean): void {
  sockets = use;
}

/** A request as `fetch` takes it. */
interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Lets clients of this process call the stack without a socket, which takes a third of the CPU time. */
export function withoutSockets<Of extends Pick<Stack, "baseUrl" | "listener" | "stop">>(
  stack: Of,
): Of {
  listeners.set(stack.baseUrl, stack.listener);
  return {
    ...stack,
    async stop() {
      listeners.delete(stack.baseUrl);
      await stack.stop();
    },
  };
}

/** Sends a request as `fetch` does: without a socket if the stack runs in this process. Follows redirects. */
export async function ask(baseUrl: string, path: string, sent: Sent): Promise<Response> {
  const listener = listeners.get(baseUrl);
  if (!listener || sockets) return fetch(baseUrl + path, sent);
  const { body, ...request } = sent;
  const { statusCode, headers, rawPayload } = await inject(listener, {
    ...request,
    url: baseUrl + path,
    ...(body !== undefined && { payload: typeof body === "string" ? body : Buffer.from(body) }),
  });
  const { location } = headers;
  if (statusCode > 300 && statusCode < 304 && location !== undefined) {
    return fetch(new URL(location, baseUrl), { headers: sent.headers });
  }
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  const hasBody = ![204, 205, 304].includes(statusCode);
  return new Response(hasBody ? new Uint8Array(rawPayload) : null, {
    status: statusCode,
    headers: fields,
  });
}
