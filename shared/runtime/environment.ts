import * as z from "zod";

const text = () => z.string().min(1);
const textIfAny = () => text().optional();
const url = () => z.url();
const urlIfAny = () => url().optional();

/** Every environment variable that a function may read. A schema is built when its variable is read. */
const variables = {
  /** The service's name in health responses and logs. */
  APP_NAME: () => text().default("furniture-storefront"),
  TABLE_NAME: text,
  /** Unset in the cloud; the emulator's address locally. */
  DYNAMODB_ENDPOINT: urlIfAny,
  S3_ENDPOINT: urlIfAny,
  SQS_ENDPOINT: urlIfAny,
  /** Bucket of the catalog indexes. */
  INDEX_BUCKET: text,
  /** Bucket that the media distribution serves. */
  MEDIA_BUCKET: text,
  /** Bucket of unchecked uploads; it is never served. */
  QUARANTINE_BUCKET: text,
  /** Bucket of finished exports, which expiring links lead to. */
  EXPORTS_BUCKET: text,
  /** Bucket of files that customers send by WhatsApp; staff open them by expiring links. */
  INBOX_BUCKET: text,
  DOCUMENTS_BUCKET: text,
  /** Bucket of changes that the stream's reader could not process. */
  FAILED_CHANGES_BUCKET: text,
  /** Bucket with the ids of erased customers. */
  ERASED_IDS_BUCKET: text,
  /** Where the quarantine bucket accepts forms; defaults to the bucket's own address. */
  UPLOAD_URL: urlIfAny,
  /** The base URL of media; no slash at the end. */
  MEDIA_BASE_URL: url,
  /**
   * The API's address as callers use it; no slash at the end. Without it, marketing mail waits, because unsubscribe
   * links start with this address.
   */
  API_BASE_URL: urlIfAny,
  CATALOG_INDEX_QUEUE_URL: url,
  STAFF_INDEX_QUEUE_URL: url,
  OUTBOX_QUEUE_URL: url,
  MEDIA_QUEUE_URL: url,
  MEDIA_USES_QUEUE_URL: url,
  WHATSAPP_QUEUE_URL: url,
  INBOX_FILES_QUEUE_URL: url,
  EXPORTS_QUEUE_URL: url,
  METRICS_QUEUE_URL: url,
  ORDER_NAMES_QUEUE_URL: url,
  DOCUMENTS_QUEUE_URL: url,
  ERASED_IDS_QUEUE_URL: url,
  MARKETING_QUEUE_URL: url,
  /** Replaces Meta's own URL; no slash at the end. */
  WHATSAPP_API_URL: urlIfAny,
  SES_ENDPOINT: urlIfAny,
  /** The sender of all mail. Without it, mail waits. */
  MAIL_FROM: () => z.email().optional(),
  /** SES's configuration set, which reports bounces and complaints. */
  MAIL_CONFIGURATION_SET: textIfAny,
  /** Unset in the cloud, where Stripe's own URL applies. */
  STRIPE_API_URL: urlIfAny,
  /** A guard's signing keys: as JSON locally, or the ARN of a secret in the cloud. */
  CUSTOMER_TOKEN_KEYS: textIfAny,
  CUSTOMER_TOKEN_SECRET: textIfAny,
  STAFF_TOKEN_KEYS: textIfAny,
  STAFF_TOKEN_SECRET: textIfAny,
  /** The signing keys of links that open an order: as JSON locally, or the ARN of a secret in the cloud. */
  LINK_KEYS: textIfAny,
  LINK_SECRET: textIfAny,
  /** Whether the API's documentation is public; if not, its routes respond with 404. */
  DOCS: () => z.enum(["open", "closed"]).default("open"),
  /**
   * The keys of our CloudFront distribution: as JSON, or the ARN of a secret; both unset if there is no distribution.
   */
  ORIGIN_KEYS: textIfAny,
  ORIGIN_SECRET: textIfAny,
  /** The encryption keys for secrets of the settings: as JSON locally, or the ARN of a secret in the cloud. */
  SETTINGS_KEYS: textIfAny,
  SETTINGS_SECRET: textIfAny,
  /**
   * Multiplies the timeouts of clients and retries, and locally those of functions; unset in the cloud. It belongs to
   * the process, so functions do not declare it. A positive number such as `30` or `0.5`.
   */
  TIMEOUT_MULTIPLIER: () =>
    text()
      .regex(/^(?:\d+\.)?0*[1-9]\d*$/)
      .default("1"),
} as const satisfies Record<string, () => z.ZodType>;

type Variables = typeof variables;
export type VariableName = keyof Variables;
type Value<Name extends VariableName> = z.output<ReturnType<Variables[Name]>>;

/**
 * Reads and validates a variable.
 *
 * @throws ZodError that names the variable if it is missing or invalid
 */
export const readVariable = <Name extends VariableName>(
  environment: NodeJS.ProcessEnv,
  name: Name,
): Value<Name> => z.object({ [name]: variables[name]() }).parse(environment)[name] as Value<Name>;
