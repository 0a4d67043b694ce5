import { randomUUID } from "node:crypto";
import { type Consumer, consumers as everyConsumer } from "#functions/consumers.ts";
import {
  authorizer,
  fallbackFamily,
  families as everyFamily,
  type Family,
} from "#functions/families.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";
import { corsFor } from "#shared/http/cors.ts";
import { fullPath, isGuarded } from "#shared/http/route.ts";
import { openQueue } from "#shared/queues/queue.ts";
import { plainLog } from "#shared/runtime/log.ts";
import { openSecrets } from "#shared/storage/settings/secrets.ts";
import { openTable } from "#shared/storage/table.ts";
import type { VariableName } from "#shared/runtime/environment.ts";
import { bundledFunctions } from "./bundled-functions.ts";
import { startConsumers, startSchedules } from "./consumers.ts";
import { startDynamoDb } from "./dynamodb.ts";
import { gateway, type HttpFunction } from "./gateway.ts";
import { listen } from "./http-server.ts";
import { type Functions, sourceFunctions } from "./load-function.ts";
import { startMail } from "./mail.ts";
import { mediaFront } from "./media-front.ts";
import { buckets, startObjectStorage } from "./object-storage.ts";
import { type StripeControl, openStripeControl } from "./stripe/control-client.ts";
import { startStripe } from "./stripe/emulator.ts";
import { localSettingsKeys, localTokenKeys } from "./token-keys.ts";
import { uploadFront } from "./upload-front.ts";
import { startWhatsApp } from "./whatsapp.ts";

/** Variables that switch optional features on; unset by default. */
type SwitchVariable = "DOCS" | "ORIGIN_KEYS";

/** Variables that always exist locally. Secrets Manager exists only in the cloud; locally, keys are passed directly. */
type LocalVariable = Exclude<
  VariableName,
  | SwitchVariable
  | "CUSTOMER_TOKEN_SECRET"
  | "STAFF_TOKEN_SECRET"
  | "SETTINGS_SECRET"
  | "ORIGIN_SECRET"
  | "LOST_CHANGES_QUEUE_URL"
  | "MAIL_CONFIGURATION_SET"
>;

/** The values of the functions' environment variables. Seeding uses them too. */
export type StackEnvironment = Readonly<Record<LocalVariable, string>>;

export interface StackOptions {
  /** The API's port; 0 or undefined selects any free port. */
  readonly port?: number;
  /** Folder that keeps the data after the stack stops. */
  readonly dataDir?: string | undefined;
  /** DynamoDB Local or AWS instead of the built-in emulator. */
  readonly dynamoDbEndpoint?: string | undefined;
  /** Default: a new table, which is deleted when the stack stops. */
  readonly tableName?: string | undefined;
  readonly families?: readonly Family[];
  readonly consumers?: readonly Consumer[];
  /** Writes data before the first request. */
  readonly seed?: ((environment: StackEnvironment) => Promise<unknown>) | undefined;
  readonly environment?: Partial<Readonly<Record<LocalVariable | SwitchVariable, string>>>;
  /** Functions to run instead of those from the sources. */
  readonly functions?: Functions;
  /** Directory of bundles to run instead of the sources. */
  readonly bundles?: string | undefined;
}

export interface Stack {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly environment: StackEnvironment;
  /** Controls the Stripe emulator. */
  readonly stripe: StripeControl;
  /**
   * Resolves when every change so far has reached its consumers, every Stripe event has reached the service, and their
   * effects have been processed.
   */
  settled(): Promise<void>;
  /** Stops delivering changes and messages, as if the consumers had stopped. Scheduled functions continue. */
  pauseConsumers(): void;
  /** Resumes delivery, starting with the changes and messages that accumulated. */
  resumeConsumers(): void;
  stop(): Promise<void>;
}

const mediaPrefix = "/media";
const stripeEventsPath = "/webhooks/payments/stripe";

/** Starts the whole service on this machine: emulators, functions behind a gateway, and event sources. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { families = everyFamily, consumers = everyConsumer, dataDir } = options;
  const running: { stop(): unknown }[] = [];
  const started = <Part extends { stop(): unknown }>(part: Part): Part => {
    running.push(part);
    return part;
  };
  const stop = async () => {
    for (const part of running.splice(0).toReversed()) await part.stop();
  };

  try {
    const dynamoDb = started(
      await startDynamoDb({
        tableName: options.tableName ?? `furniture-${randomUUID()}`,
        dropTable: options.tableName === undefined,
        endpoint: options.dynamoDbEndpoint,
        dataDir,
      }),
    );
    const storage = started(await startObjectStorage(dataDir));
    const media = started(mediaFront(`${mediaPrefix}/`, `${storage.endpoint}/${buckets.media}`));
    const mail = started(await startMail());
    const server = started(await listen(options.port ?? 0));
    const stripe = started(await startStripe({ webhookUrl: server.baseUrl + stripeEventsPath }));
    const whatsApp = started(
      await startWhatsApp({
        webhookUrl: `${server.baseUrl}/webhooks/messaging/whatsapp`,
        appSecret: () => secrets.reveal("messaging", "whatsapp.app_secret"),
      }),
    );
    const keys = await localTokenKeys(dataDir);
    const environment: StackEnvironment = {
      APP_NAME: "furniture-storefront",
      TABLE_NAME: dynamoDb.tableName,
      DYNAMODB_ENDPOINT: dynamoDb.endpoint,
      S3_ENDPOINT: storage.endpoint,
      SQS_ENDPOINT: storage.endpoint,
      INDEX_BUCKET: buckets.index,
      MEDIA_BUCKET: buckets.media,
      QUARANTINE_BUCKET: buckets.quarantine,
      EXPORTS_BUCKET: buckets.exports,
      INBOX_BUCKET: buckets.inboxFiles,
      DOCUMENTS_BUCKET: buckets.documents,
      FAILED_CHANGES_BUCKET: buckets.failedChanges,
      ERASED_IDS_BUCKET: buckets.erasedIds,
      UPLOAD_URL: `${server.baseUrl}${mediaPrefix}/`,
      MEDIA_BASE_URL: server.baseUrl + mediaPrefix,
      API_BASE_URL: server.baseUrl,
      CATALOG_INDEX_QUEUE_URL: storage.queueUrl("catalog-index"),
      STAFF_INDEX_QUEUE_URL: storage.queueUrl("staff-index"),
      OUTBOX_QUEUE_URL: storage.queueUrl("outbox"),
      MEDIA_QUEUE_URL: storage.queueUrl("media"),
      MEDIA_USES_QUEUE_URL: storage.queueUrl("media-uses"),
      WHATSAPP_QUEUE_URL: storage.queueUrl("whatsapp"),
      INBOX_FILES_QUEUE_URL: storage.queueUrl("inbox-files"),
      EXPORTS_QUEUE_URL: storage.queueUrl("exports"),
      METRICS_QUEUE_URL: storage.queueUrl("metrics"),
      DOCUMENTS_QUEUE_URL: storage.queueUrl("documents"),
      ORDER_NAMES_QUEUE_URL: storage.queueUrl("order-names"),
      ERASED_IDS_QUEUE_URL: storage.queueUrl("erased-ids"),
      MARKETING_QUEUE_URL: storage.queueUrl("marketing"),
      WHATSAPP_API_URL: whatsApp.endpoint,
      SES_ENDPOINT: mail.endpoint,
      MAIL_FROM: "no-reply@shop.example",
      STRIPE_API_URL: stripe.endpoint,
      CUSTOMER_TOKEN_KEYS: JSON.stringify(keys.customer),
      STAFF_TOKEN_KEYS: JSON.stringify(keys.staff),
      SETTINGS_KEYS: JSON.stringify(await localSettingsKeys(dataDir)),
      ...options.environment,
    };
    const secrets = openSecrets({
      table: openTable({ name: dynamoDb.tableName, endpoint: dynamoDb.endpoint }),
      keys: openKeys({ keys: environment.SETTINGS_KEYS, secret: undefined }),
      log: plainLog,
    });
    const functions =
      options.bundles === undefined
        ? (options.functions ?? sourceFunctions)
        : started(bundledFunctions(options.bundles));
    const changes = started(
      await startConsumers(consumers, { functions, environment, dynamoDb, storage, dataDir }),
    );
    if (options.seed) {
      // Paused consumers later process the seeded data in few large batches.
      changes.pause();
      await options.seed(environment);
      await changes.resumeWithIndexes();
    }
    // Schedules start after seeding, so that they do not see partial data.
    started(await startSchedules(consumers, { functions, environment }));

    const takeUpload = uploadFront(
      { bucket: buckets.quarantine, endpoint: storage.endpoint },
      openQueue({ url: storage.queueUrl("media"), endpoint: storage.endpoint }),
    );
    const { routes, fallback } = await connectRoutes(functions, families, environment);
    server.serve(
      gateway({
        routes,
        ...(fallback && { fallback }),
        authorizer: await functions.authorizer(authorizer, environment),
        cors: corsFor(["*"]),
        beside: {
          prefix: `${mediaPrefix}/`,
          answer: (request, ...rest) =>
            (request.method === "POST" ? takeUpload : media.answer)(request, ...rest),
        },
      }),
    );
    return {
      baseUrl: server.baseUrl,
      environment,
      stripe: openStripeControl(stripe.endpoint),
      async settled() {
        do {
          await Promise.all([stripe.quiet(), whatsApp.quiet()]);
          await changes.settled();
        } while (stripe.isBusy() || whatsApp.isBusy());
      },
      pauseConsumers: changes.pause,
      resumeConsumers: changes.resume,
      stop,
    };
  } catch (problem) {
    await stop();
    throw problem;
  }
}

async function connectRoutes(
  functions: Functions,
  families: readonly Family[],
  environment: StackEnvironment,
) {
  const byFamily = await Promise.all(
    families.map(async (family) => ({
      family,
      target: await functions.family(family, environment),
    })),
  );
  const fallback: HttpFunction | undefined = byFamily.find(
    ({ family }) => family.name === fallbackFamily,
  )?.target;
  const routes = byFamily.flatMap(({ family, target }) =>
    family.routes.map((route) => ({
      method: route.method,
      path: fullPath(route),
      guarded: isGuarded(route),
      target,
    })),
  );
  return { routes, fallback };
}
