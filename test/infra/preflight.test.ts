import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { preflight } from "#infra/cli/preflight.ts";
import { stackParts } from "#infra/cloud/stage.ts";
import { openClients } from "#infra/cli/preflight/clients.ts";
import {
  type AccountStandIn,
  type AccountState,
  startAccount,
} from "#test/support/emulators/aws-account.ts";

const deployed = Object.fromEntries(
  stackParts.everywhere.map((part) => [`furniture-prod-${part}`, "UPDATE_COMPLETE"]),
);

/** A production account that is ready for the shop. */
const whole = (): AccountState => ({
  credentials: true,
  stacks: { CDKToolkit: "UPDATE_COMPLETE", ...deployed },
  bootstrapVersion: 29,
  quotas: { "L-B99A9384": 1_000, "L-65B5C802": 300 },
  mail: { production: true, sending: true },
  identities: { "example.com": true },
  distributions: 1,
  cloudFront: true,
});

const switches = ["stage=prod", "origins=https://shop.example.com", "mailDomain=example.com"];

let account: AccountStandIn;
beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "stand-in");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "stand-in");
  account = await startAccount(whole());
});
beforeEach(() => {
  account.state = whole();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await account.stop();
});

const check = (more: readonly string[] = [], environment = { AWS_REGION: "eu-west-1" }) =>
  preflight(
    [...switches, ...more].flatMap((each) => ["-c", each]),
    environment,
    (region) => openClients(region, account.endpoint),
  );

const messages = async (level: string, ...call: Parameters<typeof check>) =>
  (await check(...call)).filter((each) => each.level === level).map(({ message }) => message);

test("preflight finds no problem in an account that is ready, and changes nothing in it", async () => {
  expect(await messages("problem")).toEqual([]);
  expect(await messages("note")).toEqual([]);
  expect(await messages("ok")).toContain("Stage prod, account 123456789012, region eu-west-1.");
});

const notDeployed = { CDKToolkit: "UPDATE_COMPLETE" };

test.each<[string, Partial<AccountState>, readonly string[], RegExp]>([
  [
    "refused credentials",
    { credentials: false },
    [],
    /refuses the credentials.*enabled the region/,
  ],
  [
    "a missing bootstrap",
    { stacks: deployed },
    [],
    /run npx cdk bootstrap aws:\/\/123456789012\/eu-west-1/,
  ],
  ["an old bootstrap", { bootstrapVersion: 5 }, [], /too old: run npx cdk bootstrap/],
  [
    "a concurrency quota that is too small",
    { quotas: { "L-B99A9384": 10, "L-65B5C802": 300 } },
    [],
    /"Concurrent executions".* is 10; \d+ are needed.*-c reserve=false/,
  ],
  [
    "a quota of routes that is too small",
    { quotas: { "L-B99A9384": 1_000, "L-65B5C802": 100 } },
    [],
    /"Routes per API".* is 100; 2\d\d are needed/,
  ],
  ["an unverified account", { cloudFront: false }, [], /CloudFront refuses.*must be verified/],
  [
    "an account in SES's sandbox",
    { mail: { production: false, sending: true } },
    [],
    /Request production access/,
  ],
  ["paused mail sending", { mail: { production: true, sending: false } }, [], /paused sending/],
  ["an unverified domain", { identities: { "example.com": false } }, [], /add the DNS records/],
  [
    "an identity of another stage",
    { stacks: notDeployed },
    ["protect=false"],
    /already has the identity example\.com.*dev\.example\.com/,
  ],
  [
    "a failed first deployment",
    { stacks: { ...notDeployed, "furniture-prod-data": "ROLLBACK_COMPLETE" }, identities: {} },
    ["protect=false"],
    /never complete.*delete-stack --stack-name furniture-prod-data --region eu-west-1/,
  ],
  [
    "a failed rollback",
    { stacks: { ...whole().stacks, "furniture-prod-api": "UPDATE_ROLLBACK_FAILED" } },
    [],
    /continue-update-rollback --stack-name furniture-prod-api/,
  ],
  [
    "a deployment in progress",
    { stacks: { ...whole().stacks, "furniture-prod-api": "UPDATE_IN_PROGRESS" } },
    [],
    /is being changed.*wait/,
  ],
  [
    "protection at the first deployment",
    { stacks: notDeployed, identities: {} },
    [],
    /pass -c protect=false/,
  ],
  ["a later deployment without protection", {}, ["protect=false"], /leave out -c protect=false/],
])(
  "preflight reports %s as the only problem, and says what to do",
  async (_what, state, more, sentence) => {
    Object.assign(account.state, state);
    expect(await messages("problem", more)).toEqual([expect.stringMatching(sentence)]);
  },
);

test("preflight requires a mail domain in production", async () => {
  const without = switches.slice(0, 2).flatMap((each) => ["-c", each]);
  const connect = (region: string) => openClients(region, account.endpoint);
  const found = await preflight(without, { AWS_REGION: "eu-west-1" }, connect);
  const problems = found.filter(({ level }) => level === "problem");
  expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(/mailDomain/)]);
});

test("preflight requires a region before it calls AWS", async () => {
  expect(await messages("problem", [], {} as { AWS_REGION: string })).toEqual([
    expect.stringMatching(/set AWS_REGION/),
  ]);
});

test("preflight checks the CDK bootstrap of the firewall's region only with the switch `cdn`", async () => {
  const regions = async (more: readonly string[]) =>
    (await messages("ok", more)).filter((each) => each.includes("bootstrapped"));
  expect(await regions([])).toHaveLength(1);
  expect(await regions(["cdn=true", "region=eu-west-1"])).toEqual([
    expect.stringContaining("eu-west-1"),
    expect.stringContaining("us-east-1"),
  ]);
});

test("preflight points out an account without distributions, because AWS may still have to verify it", async () => {
  account.state.distributions = 0;
  expect(await messages("note")).toEqual([expect.stringMatching(/ask AWS support/)]);
});

test("preflight refuses an invalid switch with the reason", async () => {
  await expect(check(["logDays=45"])).rejects.toThrow("logDays");
});
