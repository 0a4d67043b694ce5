import { once } from "node:events";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readSecretKeys } from "#shared/auth/secret-keys.ts";
import { testKeys } from "#test/support/identity.ts";

interface Asked {
  SecretId: string;
  VersionStage: string;
}

const [newer, older] = [testKeys.customer.current.secret, testKeys.customer.previous.secret];
const arn = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:tokens-AbCdEf";

/** Stands in for Secrets Manager: what each stage of the secret answers. */
let stages: Record<string, { status: number; body: object }>;
let asked: Asked[];
let server: Server;
let endpoint: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    void answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const question = (await json(request)) as Asked;
  asked.push(question);
  const { status, body } = stages[question.VersionStage] ?? missing;
  response
    .writeHead(status, { "content-type": "application/x-amz-json-1.1" })
    .end(JSON.stringify(body));
}

const missing = {
  status: 400,
  body: { __type: "ResourceNotFoundException", Message: "no such version" },
};
const version = (VersionId: string, SecretString: string) => ({
  status: 200,
  body: { ARN: arn, Name: "tokens", VersionId, SecretString },
});

beforeEach(() => {
  asked = [];
});

test("a secret's versions are its keys, named by their ids", async () => {
  stages = { AWSCURRENT: version("v2", newer), AWSPREVIOUS: version("v1", older) };
  expect(await readSecretKeys(arn, endpoint)).toEqual({
    current: { kid: "v2", secret: newer },
    previous: { kid: "v1", secret: older },
  });
  expect(asked.map(({ SecretId }) => SecretId)).toEqual([arn, arn]);
});

test("a secret that was never rotated has one key", async () => {
  stages = { AWSCURRENT: version("v1", newer) };
  const ring = await readSecretKeys(arn, endpoint);
  expect(ring).toEqual({ current: { kid: "v1", secret: newer }, previous: undefined });
});

test("a secret that is not there, or not ours to read, has none", async () => {
  stages = {};
  await expect(readSecretKeys(arn, endpoint)).rejects.toThrow("no such version");
  const denied = { status: 400, body: { __type: "AccessDeniedException", Message: "denied" } };
  stages = { AWSCURRENT: version("v1", newer), AWSPREVIOUS: denied };
  await expect(readSecretKeys(arn, endpoint)).rejects.toThrow("denied");
});
