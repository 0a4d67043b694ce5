import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ApiGatewayV2Client, type Cors, UpdateApiCommand } from "@aws-sdk/client-apigatewayv2";
import { DeleteBucketPolicyCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { openTable } from "#shared/storage/table.ts";
import { inviteFirstOwner } from "#infra/cli/first-owner.ts";
import { plantDemoData } from "#infra/local/demo/plant.ts";
import type { MiniStack } from "./ministack.ts";
import type { DeploymentForm, Template } from "./strips.ts";
import { stripTemplates } from "./strip-templates.ts";

/** Programs of this package. */
const bin = join(import.meta.dirname, "../../node_modules/.bin");

const stage = "rehearsal";

/** Region of each form. With `cdn`, it is CloudFront's own: MiniStack resolves outputs of stacks of one region only. */
export const regions: Readonly<Record<DeploymentForm, string>> = {
  plain: "eu-west-1",
  cdn: "us-east-1",
};

/** Owner of the deployed shop, who signs in to its back office. */
export const owner = { email: "first@owner.test", password: "a password of the rehearsal" };

/** Outputs of a deployed stage, by stack and name. */
export interface Outputs {
  /** Address of the API, without a trailing slash. */
  readonly baseUrl: string;
  readonly data: Record<string, string>;
  readonly functions: Record<string, string>;
}

/** Runs a program of this package. Returns its output. @throws Error if it fails */
async function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const child = spawn(join(bin, program), args, {
    cwd: join(import.meta.dirname, "../.."),
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0)
    throw new Error(`${program} ${args[0]} ended with ${code}:\n${output.slice(-4000)}`);
  return output;
}

/**
 * Synthesizes the app into a directory as for AWS.
 *
 * @param switches more switches, such as `release=2`
 */
export async function synthesizeForAws(
  out: string,
  form: DeploymentForm,
  switches: readonly string[] = [],
): Promise<void> {
  const context = [
    `stage=${stage}`,
    "cpu=x64",
    "mailDomain=shop.test",
    "budget=100",
    "apiUrl=https://api.shop.test",
    `region=${regions[form]}`,
    ...(form === "cdn" ? ["cdn=true", "waf=block"] : []),
    ...switches,
  ];
  await run("cdk", ["synth", "--quiet", "-o", out, ...context.flatMap((value) => ["-c", value])]);
}

/** Synthesizes the app, and strips its templates. */
export async function synthesize(
  out: string,
  form: DeploymentForm,
  switches: readonly string[] = [],
): Promise<void> {
  await synthesizeForAws(out, form, switches);
  stripTemplates(out, form);
}

/** Prepares account and region for deployments by the CDK CLI. */
export async function bootstrap(out: string, { environment }: MiniStack): Promise<void> {
  await run("cdk", ["bootstrap", "--app", out, "--no-notices"], environment);
  // The bucket refuses calls without TLS.
  const Bucket = `cdk-hnb659fds-assets-000000000000-${environment["AWS_REGION"]}`;
  await withClient(new S3Client({ forcePathStyle: true }), (s3) =>
    s3.send(new DeleteBucketPolicyCommand({ Bucket })),
  );
}

/** Deploys all stacks of a synthesized app. */
export async function deploy(out: string, { environment }: MiniStack): Promise<Outputs> {
  const file = join(out, "outputs.json");
  const output = ["--outputs-file", file, "--no-notices"];
  const everything = ["--all", "--app", out, "--require-approval", "never", "--concurrency", "1"];
  await run("cdk", ["deploy", ...everything, ...output], environment);
  const all = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, string>>;
  const [data, functions, api] = ["data", "functions", "api"].map(
    (name) => all[`furniture-${stage}-${name}`] ?? {},
  ) as [Record<string, string>, Record<string, string>, Record<string, string>];
  const baseUrl = api["BaseUrl"]!;
  await allowOrigins(out, baseUrl);
  return { baseUrl, data, functions };
}

/** Sets the API's CORS by its own call: MiniStack stores CloudFormation's under names that it does not read. */
async function allowOrigins(out: string, baseUrl: string): Promise<void> {
  const text = readFileSync(join(out, `furniture-${stage}-api.template.json`), "utf8");
  const { Resources } = JSON.parse(text) as Template;
  const api = Object.values(Resources).find(({ Type }) => Type === "AWS::ApiGatewayV2::Api");
  const CorsConfiguration = api?.Properties?.CorsConfiguration as Cors;
  const [ApiId] = new URL(baseUrl).hostname.split(".");
  await withClient(new ApiGatewayV2Client({}), (gateway) =>
    gateway.send(new UpdateApiCommand({ ApiId, CorsConfiguration })),
  );
}

/** Invites the first owner as an operator does, and chooses a password by the link. */
export async function signUpOwner({ baseUrl, functions }: Outputs): Promise<void> {
  const table = openTable({ name: functions["TableName"]! });
  const link = await inviteFirstOwner(
    table,
    { email: owner.email, name: "First Owner", "admin-url": "https://office.shop.test" },
    new Date(),
  );
  const token = new URL(link).searchParams.get("token") ?? new URL(link).hash.split("token=")[1];
  const answer = await fetch(`${baseUrl}/api/v1/admin/auth/reset-password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, email: owner.email, password: owner.password }),
  });
  if (!answer.ok) throw new Error(`The owner's password: ${answer.status} ${await answer.text()}`);
}

/** Plants the demo shop in the deployed table and bucket, and has its indexes rebuilt. */
export async function plantShop(
  { data, functions }: Outputs,
  { environment }: MiniStack,
): Promise<void> {
  const Bucket = data["MediaBucketArn"]!.split(":").at(-1);
  await withClient(new S3Client({ forcePathStyle: true }), async (s3) => {
    const putMedia = async (Key: string, Body: Uint8Array, ContentType: string) => {
      await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }));
    };
    const table = openTable({ name: functions["TableName"]! });
    await plantDemoData({ table, putMedia, now: new Date() });
  });
  await run("node", ["infra/cli/rebuild-index.ts"], {
    ...environment,
    TABLE_NAME: functions["TableName"],
    INDEX_BUCKET: data["IndexBucketName"],
    CATALOG_INDEX_QUEUE_URL: data["CatalogIndexQueueUrl"],
    STAFF_INDEX_QUEUE_URL: data["StaffIndexQueueUrl"],
  });
}

async function withClient<Client extends { destroy(): void }, Result>(
  client: Client,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}

/**
 * Restores the table of the first deployment into a new one, as an operator does.
 *
 * @returns the value of the switch `table`
 */
export async function restore(
  { data, functions }: Outputs,
  { environment }: MiniStack,
): Promise<string> {
  const from = functions["TableName"]!;
  const to = `${from}-restored`;
  const at = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const output = await run(
    "node",
    ["infra/cli/restore-drill.ts", "--from", from, "--to", to, "--at", at],
    { ...environment, ERASED_IDS_BUCKET: data["ErasedIdsBucketName"] },
  );
  const [, table] = /-c table=(\S+)/.exec(output) ?? [];
  if (table === undefined) throw new Error(`The restore printed no table:\n${output}`);
  return table;
}

/** Deletes all stacks. What is retained stays. */
export async function destroy(out: string, { environment }: MiniStack): Promise<void> {
  await run("cdk", ["destroy", "--all", "--app", out, "--force", "--no-notices"], environment);
}
