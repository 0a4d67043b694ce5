import * as z from "zod";

const text = () => z.string().min(1);
const textIfAny = () => text().optional();
const url = () => z.url();
const urlIfAny = () => url().optional();

/** Every environment variable that a function may read. A schema is built where its variable is read. */
const variables = {
  /** Name in health answers and logs. */
  APP_NAME: () => text().default("furniture-storefront"),
  TABLE_NAME: text,
  /** Left out in the cloud; the emulator's address locally. */
  DYNAMODB_ENDPOINT: urlIfAny,
  S3_ENDPOINT: urlIfAny,
  SQS_ENDPOINT: urlIfAny,
  /** Bucket of the catalog's views. */
  VIEW_BUCKET: text,
  /** Bucket of what the media distribution hands out. */
  MEDIA_BUCKET: text,
  /** Bucket of what was uploaded and not looked at yet; nobody reads it from outside. */
  QUARANTINE_BUCKET: text,
  /** Bucket of finished exports, which links lead to for as long as they hold. */
  EXPORTS_BUCKET: text,
  /** Bucket of files that customers send by WhatsApp; staff read them by links that end. */
  INBOX_BUCKET: text,
  /** Bucket of changes that the stream's reader could not deal with. */
  FAILED_CHANGES_BUCKET: text,
  /** Where its notices go; for `npm run replay` alone. */
  LOST_CHANGES_QUEUE_URL: urlIfAny,
  /** Where the quarantine takes forms; the bucket's own address unless given. */
  UPLOAD_URL: urlIfAny,
  /** Where media keys become URLs; no slash at the end. */
  MEDIA_BASE_URL: url,
  CATALOG_VIEW_QUEUE_URL: url,
  STAFF_VIEW_QUEUE_URL: url,
  OUTBOX_QUEUE_URL: url,
  MEDIA_QUEUE_URL: url,
  MEDIA_USES_QUEUE_URL: url,
  WHATSAPP_QUEUE_URL: url,
  INBOX_FILES_QUEUE_URL: url,
  EXPORTS_QUEUE_URL: url,
  METRICS_QUEUE_URL: url,
  ORDER_NAMES_QUEUE_URL: url,
  /** In place of Meta's own address; no slash at the end. */
  WHATSAPP_API_URL: urlIfAny,
  SES_ENDPOINT: urlIfAny,
  /** The address that all mail comes from; without it mail waits. */
  MAIL_FROM: () => z.email().optional(),
  /** Left out in the cloud, where it is Stripe's own. */
  STRIPE_API_URL: urlIfAny,
  /** A guard's signing keys: given as JSON locally, kept in a secret in the cloud, named by its ARN. */
  CUSTOMER_TOKEN_KEYS: textIfAny,
  CUSTOMER_TOKEN_SECRET: textIfAny,
  STAFF_TOKEN_KEYS: textIfAny,
  STAFF_TOKEN_SECRET: textIfAny,
  /** What our own CloudFront proves itself with, given or kept in the same two ways; neither where none is in front. */
  ORIGIN_KEYS: textIfAny,
  ORIGIN_SECRET: textIfAny,
  /** What secrets of the settings are encrypted with: given or kept in the same two ways. */
  SETTINGS_KEYS: textIfAny,
  SETTINGS_SECRET: textIfAny,
} as const satisfies Record<string, () => z.ZodType>;

type Variables = typeof variables;
export type VariableName = keyof Variables;
type Value<Name extends VariableName> = z.output<ReturnType<Variables[Name]>>;

/**
 * Reads the named variables and checks them.
 *
 * @throws ZodError that names the variables that are missing or wrong, at cold start
 */
export function readEnvironment<const Names extends VariableName>(
  environment: NodeJS.ProcessEnv,
  names: readonly Names[],
): { [Name in Names]: Value<Name> } {
  const shape = Object.fromEntries(names.map((name) => [name, variables[name]()]));
  return z.object(shape).parse(environment) as { [Name in Names]: Value<Name> };
}
