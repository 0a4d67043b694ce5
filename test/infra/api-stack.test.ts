import { describe, expect, test } from "vitest";
import * as z from "zod";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families, fallbackFamily } from "#functions/families.ts";
import { storefront } from "#infra/cloud/app.ts";
import { isGuarded, routeKey } from "#shared/http/route.ts";
import cdk from "../../cdk.json" with { type: "json" };
import { Ref, bundles, deployed, resources, shop } from "./deployed-shop.ts";
import { resourcesOf, textOf } from "./template.ts";

/** The ARN of a function's alias as the API stack refers to it. */
const arnOf = (name: string) => JSON.stringify(shop.api.resolve(deployed(name).alias.functionArn));
const stateless = resources.api;

describe("the API stack", () => {
  const Integration = z.object({ IntegrationUri: z.unknown() });
  const Target = z.object({ "Fn::Join": z.tuple([z.literal(""), z.tuple([z.string(), Ref])]) });
  const Route = z.object({ RouteKey: z.string(), Target });

  test("has exactly the manifest's routes, each integrated with its function family, and a fallback route", () => {
    const made = stateless.of("AWS::ApiGatewayV2::Route").map(({ Properties }) => {
      const { RouteKey, Target } = Route.parse(Properties);
      const integration = stateless.all[Target["Fn::Join"][1][1].Ref];
      const { IntegrationUri } = Integration.parse(integration?.Properties);
      return `${RouteKey} → ${JSON.stringify(IntegrationUri)}`;
    });
    const declared = families.flatMap(({ name, routes }) =>
      routes.map((route) => `${routeKey(route)} → ${arnOf(name)}`),
    );
    const fallback = `$default → ${arnOf(fallbackFamily)}`;
    expect(made.toSorted()).toEqual([...declared, fallback].toSorted());
  });

  test("permits API Gateway to invoke each family's function, including the fallback route's", () => {
    const Permission = z.object({ FunctionName: z.unknown(), SourceArn: z.unknown() });
    const permissions = stateless
      .of("AWS::Lambda::Permission")
      .filter(({ Properties }) => Properties["Principal"] === "apigateway.amazonaws.com");
    const made = permissions.map(({ Properties }) => {
      const { FunctionName, SourceArn } = Permission.parse(Properties);
      return `${JSON.stringify(FunctionName)} ${textOf(SourceArn, "x").replace(/^.*:x/, "")}`;
    });
    expect(made.toSorted()).toEqual(
      [
        ...families.map(({ name }) => `${arnOf(name)} /*/*/*`),
        `${arnOf(fallbackFamily)} /*/*`,
        ...(families.some(({ routes }) => routes.some(isGuarded))
          ? [`${arnOf(authorizer.name)} /authorizers/x`]
          : []),
      ].toSorted(),
    );
  });

  const [stage] = stateless.of("AWS::ApiGatewayV2::Stage");

  test("has a default throttle for its routes", () => {
    expect(stage?.Properties).toMatchObject({
      DefaultRouteSettings: {
        ThrottlingRateLimit: expect.any(Number),
        ThrottlingBurstLimit: expect.any(Number),
      },
    });
  });

  test("logs each request's route key, and no value with which a caller could forge log lines", () => {
    const { Format } = z
      .object({ Format: z.string() })
      .parse(stage?.Properties["AccessLogSettings"]);
    // Values that API Gateway and our authorizer set: times, numbers, addresses, ids and names from fixed lists.
    const safe = new Set(
      [
        "requestId",
        "requestTime",
        "identity.sourceIp",
        "routeKey",
        "status",
        "responseLatency",
        "integrationLatency",
        "responseLength",
        "error.responseType",
        "authorizer.guard",
        "authorizer.reason",
      ].map((name) => `$context.${name}`),
    );
    const logged = Object.values(z.record(z.string(), z.string()).parse(JSON.parse(Format)));
    expect(logged).toContain("$context.routeKey");
    expect(logged.filter((value) => !safe.has(value))).toEqual([]);
  });

  test("invokes the authorizer for guarded routes only, and caches its results for five minutes per token", async () => {
    const guards = [{ guard: "customer" }, { guard: "staff", permission: null }] as const;
    const partlyGuarded = families.map((family) => ({
      ...family,
      routes: family.routes.map((route, position) => {
        const access = guards[position];
        return access ? { ...route, access } : route;
      }),
    }));
    const { api } = await storefront(
      { authorizer, families: partlyGuarded, consumers },
      { ...cdk, bundles },
    );
    const stateless = resourcesOf(api);
    const guardedKeys = partlyGuarded.flatMap(({ routes }) =>
      routes.filter(isGuarded).map((route) => routeKey(route)),
    );
    const asking = stateless
      .of("AWS::ApiGatewayV2::Route")
      .filter(({ Properties }) => Properties["AuthorizationType"] === "CUSTOM")
      .map(({ Properties }) => String(Properties["RouteKey"]));
    expect(asking.toSorted()).toEqual(guardedKeys.toSorted());

    const authorizers = stateless.of("AWS::ApiGatewayV2::Authorizer");
    expect(authorizers).toHaveLength(1);
    expect(authorizers[0]?.Properties).toMatchObject({
      AuthorizerType: "REQUEST",
      AuthorizerPayloadFormatVersion: "2.0",
      EnableSimpleResponses: true,
      IdentitySource: ["$request.header.Authorization"],
      AuthorizerResultTtlInSeconds: 300,
    });
  });
});
