import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { HttpRequest } from "@smithy/core/protocols";
import { expect, test } from "vitest";
import { openS3 } from "#shared/files/s3.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { type AwsService, awsService } from "#shared/runtime/aws-service.ts";
import { serveOnLoopback } from "#test/support/emulators/failing-servers.ts";

interface Received extends Pick<IncomingMessage, "method" | "url"> {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Starts a local service, calls it, and returns the request that it received. */
async function received(call: (endpoint: string) => ReturnType<AwsService>): Promise<Received> {
  const { promise, resolve } = Promise.withResolvers<Received>();
  const server = await serveOnLoopback(async (request, response) => {
    const body = (await buffer(request)).toString();
    const headers = request.headers as Record<string, string>;
    resolve({ method: request.method, url: request.url, headers, body });
    response.end();
  });
  try {
    await call(server.baseUrl);
    return await promise;
  } finally {
    await server.stop();
  }
}

type Signer = Awaited<ReturnType<S3Client["config"]["signer"]>>;

/** The same request with the same timestamp, signed by the SDK client's signer. */
async function signedByClient({ method = "", url = "", headers, body }: Received, signer: Signer) {
  const { authorization = "", "x-amz-date": date = "" } = headers;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(";") ?? [];
  const request = new HttpRequest({
    method,
    path: url,
    body,
    headers: Object.fromEntries(names.map((name) => [name, headers[name] ?? ""])),
  });
  const signingDate = date.replace(/(....)(..)(..T..)(..)(..Z)/, "$1-$2-$3:$4:$5");
  return (await signer.sign(request, { signingDate })).headers["authorization"];
}

test.each(["/view/base/01J.bin", "/view/a%20key%20%28brackets%29%C3%BC"])(
  "a signed GET of %s equals the one of the S3 SDK client",
  async (path) => {
    const call = await received((endpoint) =>
      awsService("s3", { host: () => "", endpoint })({ method: "GET", path }),
    );
    const signer = await openS3({ endpoint: "http://127.0.0.1" }).config.signer();
    expect(call.headers["authorization"]).toBe(await signedByClient(call, signer));
    expect(call.headers["x-amz-content-sha256"]).toMatch(/^[0-9a-f]{64}$/);
  },
);

test("the endpoint of an AWS service may have a path", async () => {
  const call = await received((endpoint) =>
    awsService("s3", { host: () => "", endpoint: `${endpoint}/behind/a-proxy` })({
      method: "GET",
      path: "/view/key",
    }),
  );
  expect(call.url).toBe("/behind/a-proxy/view/key");
});

test("a signed POST equals the one of the Secrets Manager SDK client", async () => {
  const call = await received((endpoint) =>
    awsService("secretsmanager", { host: () => "", endpoint })({
      method: "POST",
      path: "/",
      headers: { "x-amz-target": "secretsmanager.GetSecretValue" },
      body: JSON.stringify({ SecretId: "tokens" }),
    }),
  );
  const { config } = new SecretsManagerClient(clientDefaults("http://127.0.0.1"));
  const signer = await config.signer({
    name: "sigv4",
    signingName: "secretsmanager",
    signingRegion: "local",
    properties: {},
  });
  expect(call.headers["authorization"]).toBe(await signedByClient(call, signer));
});
