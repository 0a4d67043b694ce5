import { defaultProvider } from "@aws-sdk/credential-provider-node";
import type { HttpHandler } from "@smithy/core/protocols";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { deadlineSignal } from "./deadline.ts";
import { timeoutOf } from "./timeouts.ts";

const timeouts = { connectionTimeout: 1_000, requestTimeout: 3_000 };

/** The timeouts for an emulator. It responds late on a busy machine, and retries would only add load. */
const emulatorTimeouts = { connectionTimeout: 10_000, requestTimeout: 8_000 };

/** Where the calls of a client go. */
export interface AwsEndpoint {
  /** Replaces the address of the service in its region. */
  readonly endpoint?: string | undefined;
  /** Sends the requests in place of Node's HTTP client. */
  readonly requestHandler?: HttpHandler | undefined;
}

/**
 * Options of every SDK client: three attempts and, unless a `requestHandler` sends the requests, bounded timeouts and keep-alive connections. Within a request, a call
 * throws Unavailable at the request's deadline. A loopback endpoint is an emulator, which gets dummy credentials and
 * longer timeouts.
 *
 * @param options.requestTimeout how long an attempt may go without data, in ms; `timeoutOf` gives the configured value
 */
export function clientDefaults(
  endpoint?: string,
  options: Pick<AwsEndpoint, "requestHandler"> & { requestTimeout?: number | undefined } = {},
) {
  const local = endpoint !== undefined && isLoopback(endpoint);
  return {
    maxAttempts: 3,
    // If the logger had methods, the SDK would copy every request and response for it.
    logger: {} as Console,
    requestHandler: withinDeadline(
      options.requestHandler ??
        nodeHandler(local ? emulatorTimeouts : timeouts, options.requestTimeout),
    ),
    ...(endpoint !== undefined && { endpoint }),
    ...(local && { region: "local" }),
    // Without explicit credentials, the SDK would pass the logger to the credential chain, which calls its methods.
    credentials: local ? { accessKeyId: "local", secretAccessKey: "local" } : defaultProvider(),
  };
}

const nodeHandler = (defaults: typeof timeouts, requestTimeout?: number): HttpHandler =>
  new NodeHttpHandler({
    connectionTimeout: timeoutOf(defaults.connectionTimeout),
    requestTimeout: requestTimeout ?? timeoutOf(defaults.requestTimeout),
    throwOnRequestTimeout: true,
    httpAgent: { keepAlive: true, maxSockets: 256 },
    httpsAgent: { keepAlive: true, maxSockets: 256 },
  });

/** A handler whose attempts end at the deadline of the current request, see `deadlineSignal`. */
function withinDeadline(handler: HttpHandler): HttpHandler {
  const handle: HttpHandler["handle"] = async (request, handlerOptions = {}) => {
    const signal = deadlineSignal();
    if (!signal) return handler.handle(request, handlerOptions);
    signal.throwIfAborted();
    const abortSignal = handlerOptions.abortSignal
      ? // In Node.js the SDK passes the platform's signal.
        AbortSignal.any([handlerOptions.abortSignal as AbortSignal, signal])
      : signal;
    try {
      return await handler.handle(request, { ...handlerOptions, abortSignal });
    } catch (error) {
      // The SDK's own AbortError would not contain the reason.
      signal.throwIfAborted();
      throw error;
    }
  };
  return {
    ...(handler.metadata && { metadata: handler.metadata }),
    handle,
    updateHttpClientConfig: (key, value) => handler.updateHttpClientConfig(key, value),
    httpHandlerConfigs: () => handler.httpHandlerConfigs(),
    destroy: () => handler.destroy?.(),
  };
}

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
