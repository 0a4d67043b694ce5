import { RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Node } from "constructs";
import * as z from "zod";

const origin = z.union([
  z.literal("*"),
  z
    .url({ protocol: /^https$/, error: "An origin is https://host, without a path." })
    .refine((text) => new URL(text).origin === text, "An origin is https://host, without a path."),
]);

/** `-c name=true`; a flag is text on the command line. */
const flag = z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })]);

/** What an operator says about a deployment: `-c name=value`, or members of `context` in cdk.json. */
const switches = {
  /** Names the stacks apart. */
  stage: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,19}$/, "A stage is named in lower case.")
    .default("dev"),
  /** Where it is deployed; that of the credentials unless given. */
  region: z
    .string()
    .regex(/^[a-z]{2}(?:-[a-z]+)+-\d$/)
    .optional(),
  /** Origins whose pages may call the service, separated by commas; every one unless given. */
  origins: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(origin).min(1))
    .optional(),
  /** The domain that mail comes from; without one, mail waits. */
  mailDomain: z.hostname().optional(),
  /** The service's own name, such as `api.example.com`. */
  domain: z.hostname().optional(),
  /** Of a certificate for `domain`: in us-east-1 with `cdn`, else in the region. */
  certificateArn: z
    .string()
    .regex(/^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/.+$/)
    .optional(),
  /** Whether CloudFront and a firewall stand in front. */
  cdn: flag.default(false),
  /** The version of the secret that CloudFront proves itself with; the newest at the first deployment. */
  originSecretVersion: z.string().min(1).optional(),
  /** Calls per second of all callers together. */
  callsPerSecond: z.coerce.number().int().min(10).default(500),
  /** How long logs are kept. */
  logDays: z.coerce
    .number()
    .pipe(z.enum(RetentionDays, "CloudWatch keeps logs for 1, 3, 5, 7, 14, 30, 60, 90, … days."))
    .optional(),
  /** The architecture of the functions; native packages are installed for it at synth. */
  cpu: z.enum(["arm64", "x64"]).default("arm64"),
  /** Whether functions are held to, and given, their shares of the account's concurrency; so in production. */
  reserve: flag.optional(),
} as const;

/** A deployment as its operator wants it. */
export type StageOptions = ReturnType<typeof stageOptions>;

const production = "prod";

/** Every switch's name. */
export const switchNames = Object.keys(switches);

/**
 * Reads the switches from a tree's context.
 *
 * @throws Error that says which switch is wrong, and why
 */
export function stageOptions(node: Pick<Node, "tryGetContext">) {
  const given = Object.fromEntries(
    switchNames.map((name) => [name, node.tryGetContext(name) as unknown]),
  );
  const read = z.object(switches).safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`The context value ${issue?.path.join(".")} is wrong: ${issue?.message}`);
  }
  const { origins, logDays, reserve, domain, certificateArn, ...options } = read.data;
  const isProduction = options.stage === production;
  if (isProduction && origins === undefined) {
    throw new Error(
      "Say whose pages may call it in production: -c origins=https://shop.example.com",
    );
  }
  if ((domain === undefined) !== (certificateArn === undefined)) {
    throw new Error("domain and certificateArn go together: an own name needs a certificate.");
  }
  if (options.cdn && options.region === undefined) {
    throw new Error(
      "With cdn, say where the service is: -c region=… (the firewall is in us-east-1).",
    );
  }
  return {
    ...options,
    origins: origins ?? ["*"],
    logDays: logDays ?? (isProduction ? RetentionDays.THREE_MONTHS : RetentionDays.TWO_WEEKS),
    reserve: reserve ?? isProduction,
    own:
      domain === undefined || certificateArn === undefined ? undefined : { domain, certificateArn },
  };
}
