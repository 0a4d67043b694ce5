import type { SQSEvent } from "aws-lambda";
import { describe, expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { families } from "#functions/families.ts";
import type { HttpApiEvent } from "#infra/local/gateway/http-api-event.ts";
import { lambdaContext } from "#infra/local/functions/lambda.ts";
import { loadConsumer } from "#infra/local/functions/load-consumer.ts";
import { loadFamily } from "#infra/local/functions/load-function.ts";
import { queuedEvent, routedEvent } from "#infra/local/events/sample-event.ts";
import { fullPath } from "#shared/http/route.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { tableOpeners } from "#test/support/stack/functions.ts";

const { environment } = await useShop();
const health = "/api/v1/health";

/** An event as `sam local generate-event apigateway http-api-proxy --method … --path …` makes it. */
const samEvent = (method: string, path: string) =>
  ({
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: "parameter1=value1&parameter1=value2&parameter2=value",
    cookies: ["cookie1", "cookie2"],
    headers: { Header1: "value1", Header2: "value1,value2" },
    queryStringParameters: { parameter1: "value1,value2", parameter2: "value" },
    requestContext: {
      accountId: "123456789012",
      apiId: "api-id",
      authentication: {
        clientCert: { clientCertPem: "CERT_CONTENT", subjectDN: "www.example.com" },
      },
      authorizer: { jwt: { claims: { claim1: "value1" }, scopes: ["scope1", "scope2"] } },
      domainName: "id.execute-api.us-east-1.amazonaws.com",
      domainPrefix: "id",
      http: { method, path, protocol: "HTTP/1.1", sourceIp: "192.168.0.1/32", userAgent: "agent" },
      requestId: "id",
      routeKey: "$default",
      stage: "$default",
      time: "12/Mar/2020:19:03:58 +0000",
      timeEpoch: 1583348638390,
    },
    body: "eyJ0ZXN0IjoiYm9keSJ9",
    pathParameters: { parameter1: "value1" },
    isBase64Encoded: true,
    stageVariables: { stageVariable1: "value1", stageVariable2: "value2" },
  }) as unknown as HttpApiEvent;

/** What S3 sends for a new object, as `sam local generate-event s3 put` makes it. */
const s3Put = {
  Records: [
    {
      eventVersion: "2.0",
      eventSource: "aws:s3",
      awsRegion: "us-east-1",
      eventTime: "1970-01-01T00:00:00.000Z",
      eventName: "ObjectCreated:Put",
      userIdentity: { principalId: "EXAMPLE" },
      s3: {
        s3SchemaVersion: "1.0",
        configurationId: "testConfigRule",
        bucket: { name: "example-bucket", arn: "arn:aws:s3:::example-bucket" },
        object: { key: "test%2Fkey", size: 1024, eTag: "0123", sequencer: "0A1B2C3D4E5F678901" },
      },
    },
  ],
};

describe.each(families.map((family) => [family.name, family] as const))(
  "the function %s",
  (_name, family) => {
    test("answers sample events of AWS's tools for each of its routes", async () => {
      const { handler, ...target } = await loadFamily(family, environment, () => tableOpeners);
      const faults: string[] = [];
      for (const route of family.routes) {
        const { method } = route;
        const path = fullPath(route);
        const event = routedEvent(samEvent(method, path.replaceAll(/\{\w+\}/g, "unknown")), family);
        const answer = await handler(event, lambdaContext(target, "sample"));
        const { statusCode } = answer as { statusCode: number };
        if (event.routeKey !== `${method} ${path}`) faults.push(`${event.routeKey} for ${path}`);
        if (statusCode >= 500 || statusCode === 405)
          faults.push(`${statusCode}: ${method} ${path}`);
      }
      expect(faults).toEqual([]);
    });
  },
);

test("a sample event of an unknown path is a 404, and one without a query or body is served", async () => {
  const family = families.find(({ routes }) => routes.some((route) => fullPath(route) === health))!;
  const { handler, ...target } = await loadFamily(family, environment, () => tableOpeners);
  const answerTo = (event: HttpApiEvent) =>
    handler(routedEvent(event, family), lambdaContext(target, "sample"));
  expect(await answerTo(samEvent("POST", "/path/to/resource"))).toMatchObject({ statusCode: 404 });
  const plain = { ...samEvent("GET", health), queryStringParameters: null, body: null };
  expect(await answerTo(plain as unknown as HttpApiEvent)).toMatchObject({ statusCode: 200 });
});

const queued = consumers.filter(({ source }) => source.kind === "queue");
test.each(queued.map((consumer) => [consumer.name, consumer] as const))(
  "the consumer %s takes an event that is not from its queue as a message in it",
  async (name, consumer) => {
    const { handler, ...target } = await loadConsumer<SQSEvent>(
      consumer,
      environment,
      () => tableOpeners,
    );
    const event = queuedEvent(s3Put, consumer) as SQSEvent;
    expect(queuedEvent(event, consumer)).toBe(event);
    // Only uploads are announced by S3.
    const batchItemFailures = name === "on-change-media" ? [] : [{ itemIdentifier: "sample" }];
    const answer = await handler(event, lambdaContext(target, "sample"));
    expect(answer).toEqual({ batchItemFailures });
  },
);
