import { RemovalPolicy } from "aws-cdk-lib";
import { RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Node } from "constructs";
import * as z from "zod";

const origin = z
  .url({
    protocol: /^https$/,
    error: "Use an origin such as https://shop.example.com, without a path.",
  })
  .refine(
    (text) => new URL(text).origin === text,
    "Use an origin such as https://shop.example.com, without a path.",
  );

/** Flags arrive as text from the command line. */
const flag = z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })]);

/** The switches of a deployment: `-c name=value`, or members of `context` in cdk.json. */
const switches = {
  /** Name of the stage, which is the suffix of the stack names. */
  stage: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,19}$/, "Use lower case letters, digits and hyphens.")
    .default("dev"),
  /** Region of the deployment. Default: the region of the credentials. */
  region: z
    .string()
    .regex(/^[a-z]{2}(?:-[a-z]+)+-\d$/)
    .optional(),
  /** Comma-separated origins whose pages may call the API. Default: every origin. */
  origins: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.union([z.literal("*"), origin])).min(1))
    .optional(),
  /** Domain that mails are sent from. Without it, mails stay in the outbox. */
  mailDomain: z.hostname().optional(),
  /** Custom domain, such as `api.example.com`. */
  domain: z.hostname().optional(),
  /** Certificate for `domain`: in us-east-1 with `cdn`, else in the region. */
  certificateArn: z
    .string()
    .regex(/^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/.+$/)
    .optional(),
  /**
   * URL of the API as callers use it, for unsubscribe links. Default: `https://<domain>`. Without both, marketing mail
   * waits.
   */
  apiUrl: origin.optional(),
  /** Whether to put CloudFront and a firewall in front of the API. */
  cdn: flag.default(false),
  /** Whether CloudFront's firewall only counts what its rules match, or blocks it. */
  waf: z.enum(["count", "block"]).default("count"),
  /**
   * Version of the secret that CloudFront sends, to be set after a rotation. Default: the version at the first
   * deployment.
   */
  originSecretVersion: z.string().min(1).optional(),
  /** Whether the API's documentation is public. If it is closed, its routes return 404. */
  docs: z.enum(["open", "closed"]).default("open"),
  /** Requests per second of all callers together. */
  callsPerSecond: z.coerce.number().int().min(10).default(500),
  /** Log retention in days. */
  logDays: z.coerce
    .number()
    .pipe(z.enum(RetentionDays, "CloudWatch supports 1, 3, 5, 7, 14, 30, 60, 90, … days."))
    .optional(),
  /**
   * Whether the data is protected from deletion. Default: true in production. Pass false for the first deployment: if
   * it failed while protected, it could not be repeated.
   */
  protect: flag.optional(),
  /**
   * Whether new versions of the API's functions first get a tenth of the calls (`canary`), or immediately all calls,
   * even while alarms are raised (`all`, for a repair).
   */
  rollout: z.enum(["canary", "all"]).default("canary"),
  /**
   * Text that identifies the release. With a new text, every function gets a new version, even if its code is
   * unchanged.
   */
  release: z.string().min(1).max(200).optional(),
  /** Restored table that the stage uses instead of its own, in the form that `npm run restore-drill` prints. */
  table: z
    .string()
    .regex(
      /^[\w.-]{3,255}\/stream\/[\d:.T-]+$/,
      "Use <name>/stream/<label>, as npm run restore-drill prints it.",
    )
    .optional(),
  /** Architecture of the functions. Native packages are installed for it at synth. */
  cpu: z.enum(["arm64", "x64"]).default("arm64"),
  /** Dollars a month that the account should cost at most. Without it, there is no budget. */
  budget: z.coerce.number().int().min(1).optional(),
  /** Whether to reserve concurrency as the manifest says. Default: only in production. */
  reserve: flag.optional(),
} as const;

/** The validated switches. */
export type StageOptions = ReturnType<typeof stageOptions>;

/** CloudWatch namespace of the metrics that the functions of a stage report. */
export const metricsNamespace = ({ stage }: Pick<StageOptions, "stage">): string =>
  `furniture-${stage}`;

const production = "prod";

export const switchNames = Object.keys(switches);

/**
 * Reads the switches from the CDK context.
 *
 * @throws Error naming the invalid switch and the reason
 */
export function stageOptions(node: Pick<Node, "tryGetContext" | "getAllContext">) {
  // The context also has values that are not switches: CDK's feature flags begin with `@`, and the CLI's own names
  // contain `:`, except `cli-telemetry`.
  const unknown = Object.keys(node.getAllContext()).filter(
    (name) => ![...switchNames, "cli-telemetry"].includes(name) && !/^@|:/.test(name),
  );
  if (unknown.length > 0) {
    throw new Error(
      `There is no switch ${unknown.join(", ")}. The switches: ${switchNames.join(", ")}.`,
    );
  }
  const values = Object.fromEntries(
    switchNames.map((name) => [name, node.tryGetContext(name) as unknown]),
  );
  const read = z.object(switches).safeParse(values);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`The context value ${issue?.path.join(".")} is invalid: ${issue?.message}`);
  }
  const { origins, logDays, reserve, protect, domain, certificateArn, apiUrl, ...options } =
    read.data;
  const isProduction = options.stage === production;
  if (isProduction && origins === undefined) {
    throw new Error("origins is required in production: -c origins=https://shop.example.com");
  }
  if ((domain === undefined) !== (certificateArn === undefined)) {
    throw new Error("domain and certificateArn must be set together.");
  }
  if (options.cdn && options.region === undefined) {
    throw new Error("region is required with cdn: -c region=… (the firewall is in us-east-1).");
  }
  return {
    ...options,
    origins: origins ?? ["*"],
    apiUrl: apiUrl ?? (domain === undefined ? undefined : `https://${domain}`),
    /** In production, logs outlive the functions that wrote them. */
    logRemoval: isProduction ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    logDays: logDays ?? (isProduction ? RetentionDays.THREE_MONTHS : RetentionDays.TWO_WEEKS),
    reserve: reserve ?? isProduction,
    protect: protect ?? isProduction,
    own:
      domain === undefined || certificateArn === undefined ? undefined : { domain, certificateArn },
  };
}

/** The ends of the stacks' names: those of every stage in its region, and those that `cdn` adds in us-east-1. */
export const stackParts = {
  everywhere: ["data", "media", "functions", "consumers", "api", "operations"],
  withCdn: ["firewall", "edge"],
} as const;
