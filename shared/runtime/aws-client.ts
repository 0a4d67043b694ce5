import { defaultProvider } from "@aws-sdk/credential-provider-node";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { deadlineSignal } from "./deadline.ts";
import { timeoutOf } from "./timeouts.ts";

const timeouts = { connectionTimeout: 1_000, requestTimeout: 3_000 };

/** The timeouts for an emulator. It responds late on a busy machine, and retries would only add load. */
const emulatorTimeouts = { connectionTimeout: 10_000, requestTimeout: 8_000 };

/**
 * Options of every SDK client: bounded timeouts, three attempts, keep-alive connections. Within a request, a call
 * throws Unavailable at the request's deadline. A loopback endpoint is an emulator, which gets dummy credentials and
 * longer timeouts.
 *
 * @param requestTimeout how long an attempt may go without data, in ms; `timeoutOf` gives the configured value
 */
export function clientDefaults(endpoint?: string, requestTimeout?: number) {
  const local = endpoint !== undefined && isLoopback(endpoint);
  const defaults = local ? emulatorTimeouts : timeouts;
  return {
    maxAttempts: 3,
    // If the logger had methods, the SDK would copy every request and response for it.
    logger: {} as Console,
    requestHandler: handlerWithin({
      connectionTimeout: timeoutOf(defaults.connectionTimeout),
      requestTimeout: requestTimeout ?? timeoutOf(defaults.requestTimeout),
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: 256 },
      httpsAgent: { keepAlive: true, maxSockets: 256 },
    }),
    ...(endpoint !== undefined && { endpoint }),
    ...(local && { region: "local" }),
    // Without explicit credentials, the SDK would pass the logger to the credential chain, which calls its methods.
    credentials: local ? { accessKeyId: "local", secretAccessKey: "local" } : defaultProvider(),
  };
}

/** An HTTP handler whose attempts end at the deadline of the current request, see `deadlineSignal`. */
function handlerWithin(options: ConstructorParameters<typeof NodeHttpHandler>[0]): NodeHttpHandler {
  const handler = new NodeHttpHandler(options);
  const handle = handler.handle.bind(handler);
  handler.handle = async (request, handlerOptions = {}) => {
    const signal = deadlineSignal();
    if (!signal) return handle(request, handlerOptions);
    signal.throwIfAborted();
    const abortSignal = handlerOptions.abortSignal
      ? // In Node.js the SDK passes the platform's signal.
        AbortSignal.any([handlerOptions.abortSignal as AbortSignal, signal])
      : signal;
    try {
      return await handle(request, { ...handlerOptions, abortSignal });
    } catch (error) {
      // The SDK's own AbortError would not contain the reason.
      signal.throwIfAborted();
      throw error;
    }
  };
  return handler;
}

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
