import * as z from "zod";

/** Every environment variable that a function may read. */
const variables = {
  /** Name in health answers and logs. */
  APP_NAME: z.string().min(1).default("furniture-storefront"),
  TABLE_NAME: z.string().min(1),
  /** Left out in the cloud; the emulator's address locally. */
  DYNAMODB_ENDPOINT: z.url().optional(),
  S3_ENDPOINT: z.url().optional(),
  SQS_ENDPOINT: z.url().optional(),
  /** Bucket of the catalog's views. */
  VIEW_BUCKET: z.string().min(1),
  /** Bucket of what the media distribution hands out. */
  MEDIA_BUCKET: z.string().min(1),
  /** Bucket of what was uploaded and not looked at yet; nobody reads it from outside. */
  QUARANTINE_BUCKET: z.string().min(1),
  /** Bucket of finished exports, which links lead to for as long as they hold. */
  EXPORTS_BUCKET: z.string().min(1),
  /** Where the quarantine takes forms; the bucket's own address unless given. */
  UPLOAD_URL: z.url().optional(),
  /** Where media keys become URLs; no slash at the end. */
  MEDIA_BASE_URL: z.url(),
  CATALOG_VIEW_QUEUE_URL: z.url(),
  STAFF_VIEW_QUEUE_URL: z.url(),
  OUTBOX_QUEUE_URL: z.url(),
  MEDIA_QUEUE_URL: z.url(),
  MEDIA_USES_QUEUE_URL: z.url(),
  WHATSAPP_QUEUE_URL: z.url(),
  EXPORTS_QUEUE_URL: z.url(),
  FIGURES_QUEUE_URL: z.url(),
  /** In place of Meta's own address; no slash at the end. */
  WHATSAPP_API_URL: z.url().optional(),
  SES_ENDPOINT: z.url().optional(),
  /** The address that all mail comes from; without it mail waits. */
  MAIL_FROM: z.email().optional(),
  /** Left out in the cloud, where it is Stripe's own. */
  STRIPE_API_URL: z.url().optional(),
  /** A guard's signing keys: given as JSON locally, kept in a secret in the cloud, named by its ARN. */
  CUSTOMER_TOKEN_KEYS: z.string().min(1).optional(),
  CUSTOMER_TOKEN_SECRET: z.string().min(1).optional(),
  STAFF_TOKEN_KEYS: z.string().min(1).optional(),
  STAFF_TOKEN_SECRET: z.string().min(1).optional(),
  /** What our own CloudFront proves itself with, given or kept in the same two ways; neither where none is in front. */
  ORIGIN_KEYS: z.string().min(1).optional(),
  ORIGIN_SECRET: z.string().min(1).optional(),
  /** What secrets of the settings are encrypted with: given or kept in the same two ways. */
  SETTINGS_KEYS: z.string().min(1).optional(),
  SETTINGS_SECRET: z.string().min(1).optional(),
} as const satisfies z.ZodRawShape;

type Variables = typeof variables;
export type VariableName = keyof Variables;

/**
 * Reads the named variables and checks them.
 *
 * @throws ZodError that names the variables that are missing or wrong, at cold start
 */
export function readEnvironment<const Names extends VariableName>(
  environment: NodeJS.ProcessEnv,
  names: readonly Names[],
): { [Name in Names]: z.output<Variables[Name]> } {
  const shape = Object.fromEntries(names.map((name) => [name, variables[name]]));
  return z.object(shape).parse(environment) as { [Name in Names]: z.output<Variables[Name]> };
}
