import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Consumer } from "#functions/consumers.ts";
import { bucketValues, queueValues } from "#functions/deployed-function.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";
import { plainLog } from "#shared/runtime/log.ts";
import { openSecrets } from "#shared/storage/settings/secrets.ts";
import { openTable } from "#shared/storage/table.ts";
import type { VariableName } from "#shared/runtime/environment.ts";
import { type RunningConsumers, startConsumers } from "./events/consumers.ts";
import { type DynamoDb, startDynamoDb } from "./emulators/dynamodb.ts";
import { type HttpServer, listen } from "./gateway/http-server.ts";
import type { ConsumerFunctions } from "./functions/load-consumer.ts";
import { startMail } from "./emulators/mail.ts";
import { type ObjectStorage, buckets, startObjectStorage } from "./emulators/object-storage.ts";
import { type StripeEmulator, startStripe } from "./stripe/emulator.ts";
import { localSettingsKeys, localTokenKeys } from "./token-keys.ts";
import { type WhatsAppEmulator, startWhatsApp } from "./whatsapp/whatsapp.ts";

/** Variables that switch optional features on; unset by default. */
type SwitchVariable = "DOCS" | "ORIGIN_KEYS";

/** Variables that always exist locally. Secrets Manager exists only in the cloud; locally, keys are passed directly. */
type LocalVariable = Exclude<
  VariableName,
  | SwitchVariable
  | "CUSTOMER_TOKEN_SECRET"
  | "STAFF_TOKEN_SECRET"
  | "LINK_SECRET"
  | "SETTINGS_SECRET"
  | "ORIGIN_SECRET"
  | "MAIL_CONFIGURATION_SET"
  | "TIMEOUT_MULTIPLIER"
>;

/** The values of the functions' environment variables. Seeding uses them too. */
export type StackEnvironment = Readonly<Record<LocalVariable, string>>;

export interface PartsOptions {
  /** The API's port; 0 or undefined selects any free port. */
  readonly port?: number;
  /** Folder that keeps the data after the stack stops. */
  readonly dataDir?: string | undefined;
  /** Whether to delete `dataDir` when the stack stops. */
  readonly isThrowaway?: boolean;
  /** DynamoDB Local or AWS instead of the built-in emulator. */
  readonly dynamoDbEndpoint?: string | undefined;
  /** Default: a new table, which is deleted when the stack stops. */
  readonly tableName?: string | undefined;
  /** A table to use instead of one that the stack starts. */
  readonly table?: DynamoDb | undefined;
  /** Writes data before the first request. */
  readonly seed?: ((environment: StackEnvironment) => Promise<unknown>) | undefined;
  readonly environment?: Partial<Readonly<Record<LocalVariable | SwitchVariable, string>>>;
}

/** A stack without its API. */
interface Parts {
  /** The API's server, which serves nothing yet. */
  readonly server: HttpServer;
  readonly environment: StackEnvironment;
  readonly storage: ObjectStorage;
  readonly stripe: StripeEmulator;
  readonly whatsApp: WhatsAppEmulator;
  readonly changes: RunningConsumers;
  /** Resolves when all effects so far have been processed, see `Stack`. */
  settled(): Promise<void>;
}

const startTable = ({ tableName, dynamoDbEndpoint, ...data }: PartsOptions): Promise<DynamoDb> =>
  startDynamoDb({
    tableName: tableName ?? `furniture-${randomUUID()}`,
    dropTable: tableName === undefined,
    endpoint: dynamoDbEndpoint,
    dataDir: data.dataDir,
    isThrowaway: data.isThrowaway,
  });

/** The path of media files. */
export const mediaPrefix = "/media";
const stripeEventsPath = "/webhooks/payments/stripe";

/**
 * Starts the emulators and the consumers, and seeds the data.
 *
 * @param started receives each part as soon as it must be stopped; the last one must be stopped first
 */
export async function startParts(
  options: PartsOptions,
  { consumers, functions }: { consumers: readonly Consumer[]; functions: ConsumerFunctions },
  started: <Part extends { stop(): unknown }>(part: Part) => Part,
): Promise<Parts> {
  const { dataDir } = options;
  const dynamoDb = started(options.table ?? (await startTable(options)));
  if (options.table && dataDir !== undefined && options.isThrowaway)
    started({ stop: () => rmSync(dataDir, { recursive: true, force: true }) });
  const storage = started(
    await startObjectStorage({
      objects: dataDir && join(dataDir, "objects"),
      // Nobody reads the messages of a stack whose data is deleted.
      queues: dataDir && !options.isThrowaway ? join(dataDir, "queues") : undefined,
    }),
  );
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
    ...bucketValues((name) => buckets[name]),
    UPLOAD_URL: `${server.baseUrl}${mediaPrefix}/`,
    MEDIA_BASE_URL: server.baseUrl + mediaPrefix,
    API_BASE_URL: server.baseUrl,
    ...queueValues(storage.queueUrl),
    WHATSAPP_API_URL: whatsApp.endpoint,
    SES_ENDPOINT: mail.endpoint,
    MAIL_FROM: "no-reply@shop.example",
    STRIPE_API_URL: stripe.endpoint,
    CUSTOMER_TOKEN_KEYS: JSON.stringify(keys.customer),
    STAFF_TOKEN_KEYS: JSON.stringify(keys.staff),
    LINK_KEYS: JSON.stringify(keys.links),
    SETTINGS_KEYS: JSON.stringify(await localSettingsKeys(dataDir)),
    ...options.environment,
  };
  const secrets = openSecrets({
    table: openTable({ ...dynamoDb, name: dynamoDb.tableName }),
    keys: openKeys({ keys: environment.SETTINGS_KEYS, secret: undefined }),
    log: plainLog,
  });
  const changes = started(
    await startConsumers(consumers, { functions, environment, dynamoDb, storage, dataDir }),
  );
  if (options.seed) {
    // Paused consumers later process the seeded data in few large batches.
    await changes.pause();
    await options.seed(environment);
    await changes.resumeWithIndexes();
  }
  return {
    server,
    environment,
    storage,
    stripe,
    whatsApp,
    changes,
    async settled() {
      do {
        await Promise.all([stripe.quiet(), whatsApp.quiet()]);
        await changes.settled();
      } while (stripe.isBusy() || whatsApp.isBusy());
    },
  };
}
