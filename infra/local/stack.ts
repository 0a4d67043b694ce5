import type { RequestListener } from "node:http";
import { type Consumer, consumers as everyConsumer } from "#functions/consumers.ts";
import {
  authorizer,
  fallbackFamily,
  families as everyFamily,
  type Family,
} from "#functions/families.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { corsFor } from "#shared/http/cors.ts";
import { servedRoutes } from "#infra/http-api-routes.ts";
import { openQueue } from "#shared/queues/queue.ts";
import { timeoutOf } from "#shared/runtime/timeouts.ts";
import { startSchedules } from "./events/consumers.ts";
import { gateway, type HttpFunction, integrationTimeoutMs } from "./gateway/gateway.ts";
import { type Functions, sourceFunctions } from "./functions/load-function.ts";
import { mediaFront } from "./emulators/media-front.ts";
import { buckets } from "./emulators/object-storage.ts";
import { type PartsOptions, type StackEnvironment, mediaPrefix, startParts } from "./parts.ts";
import { storefrontPages } from "./gateway/storefront-front.ts";
import { openPlantedShop } from "./planting/planted-shop.ts";
import { saveStorefrontAddress } from "./planting/storefront-address.ts";
import { type StripeControl, openStripeControl } from "./stripe/control-client.ts";
import { inProcess } from "./emulators/in-process.ts";
import { uploadFront } from "./emulators/upload-front.ts";

export type { StackEnvironment } from "./parts.ts";

export interface StackOptions extends Omit<PartsOptions, "isThrowaway"> {
  /**
   * `planted` starts with the demo shop. It is copied from the planted shop, or planted if the data is not in the
   * built-in emulator, or has keys of its own. Data that exists already is kept.
   */
  readonly shop?: "planted" | undefined;
  /** Whether to serve the storefront at `/`, and to save its address as that of the demo shop's storefront. */
  readonly storefront?: boolean;
  readonly families?: readonly Family[];
  readonly consumers?: readonly Consumer[];
  /** Functions to run instead of those from the sources. */
  readonly functions?: Functions;
  /** Directory of bundles to run instead of the sources. */
  readonly bundles?: string | undefined;
  /** Multiplies the functions' timeouts. Default: `TIMEOUT_MULTIPLIER`, which also applies to their clients. */
  readonly timeoutMultiplier?: number;
}

export interface Stack {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly environment: StackEnvironment;
  /** Answers requests as the server at `baseUrl` does, for callers in this process. */
  readonly listener: RequestListener;
  /** Controls the Stripe emulator. */
  readonly stripe: StripeControl;
  /**
   * Resolves when every change so far has reached its consumers, every Stripe event has reached the service, and their
   * effects have been processed.
   */
  settled(): Promise<void>;
  /** Stops delivering changes and messages, as if the consumers had stopped. Scheduled functions continue. */
  pauseConsumers(): Promise<void>;
  /** Resumes delivery, starting with the changes and messages that accumulated. */
  resumeConsumers(): void;
  stop(): Promise<void>;
}

/** Starts the whole service on this machine: emulators, functions behind a gateway, and event sources. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { timeoutMultiplier = timeoutOf(1) } = options;
  const timed = <Declared extends DeployedFunction>(declared: Declared): Declared => ({
    ...declared,
    timeoutSeconds: declared.timeoutSeconds * timeoutMultiplier,
  });
  const families = (options.families ?? everyFamily).map(timed);
  const consumers = (options.consumers ?? everyConsumer).map(timed);
  const running: { stop(): unknown }[] = [];
  const started = <Part extends { stop(): unknown }>(part: Part): Part => {
    running.push(part);
    return part;
  };
  const stop = async () => {
    for (const part of running.splice(0).toReversed()) await part.stop();
  };

  try {
    const functions =
      options.bundles === undefined
        ? (options.functions ?? sourceFunctions)
        : started(await functionsIn(options.bundles));
    const { server, environment, storage, stripe, changes, settled } = await startParts(
      { ...options, ...(options.shop && (await openPlantedShop(options))) },
      { consumers, functions },
      started,
    );
    if (options.storefront) await saveStorefrontAddress(environment, server.baseUrl);
    // Schedules start after seeding, so that they do not see partial data.
    started(await startSchedules(consumers, { functions, environment }));

    const media = started(mediaFront(`${mediaPrefix}/`, `${storage.endpoint}/${buckets.media}`));
    const calls = { endpoint: storage.endpoint, requestHandler: inProcess };
    const takeUpload = uploadFront(
      { bucket: buckets.quarantine, ...calls },
      openQueue({ url: storage.queueUrl("media"), ...calls }),
    );
    const { routes, fallback } = await connectRoutes(functions, families, environment);
    const listener = gateway({
      routes,
      ...(fallback && { fallback }),
      authorizer: await functions.authorizer(timed(authorizer), environment),
      integrationTimeoutMs: integrationTimeoutMs * timeoutMultiplier,
      cors: corsFor(["*"]),
      pages: options.storefront ? storefrontPages(environment.STRIPE_API_URL) : undefined,
      beside: {
        prefix: `${mediaPrefix}/`,
        answer: (request, ...rest) =>
          (request.method === "POST" ? takeUpload : media.answer)(request, ...rest),
      },
    });
    server.serve(listener);
    return {
      baseUrl: server.baseUrl,
      environment,
      listener,
      stripe: openStripeControl(stripe.endpoint),
      settled,
      pauseConsumers: changes.pause,
      resumeConsumers: changes.resume,
      stop,
    };
  } catch (problem) {
    await stop();
    throw problem;
  }
}

/** The bundler is loaded only if it is needed. */
async function functionsIn(bundles: string) {
  const { bundledFunctions } = await import("./functions/bundled-functions.ts");
  return bundledFunctions(bundles);
}

async function connectRoutes(
  functions: Functions,
  families: readonly Family[],
  environment: StackEnvironment,
) {
  const targets = new Map(
    await Promise.all(
      families.map(async (family): Promise<[string, HttpFunction]> => [
        family.name,
        await functions.family(family, environment),
      ]),
    ),
  );
  const routes = servedRoutes(families, targets).map(({ method, path, openBecause, target }) => ({
    method,
    path,
    guarded: openBecause === null,
    target,
  }));
  return { routes, fallback: targets.get(fallbackFamily) };
}
