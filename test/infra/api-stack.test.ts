import { describe, expect, test } from "vitest";
import * as z from "zod";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families, fallbackFamily } from "#functions/families.ts";
import { storefront } from "#infra/cloud/app.ts";
import { httpApiRoutes, servedRoutes } from "#infra/http-api-routes.ts";
import { routeTable } from "#infra/local/gateway/route-table.ts";
import { fullPath, isGuarded, routeKey } from "#shared/http/route.ts";
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
    const declared = httpApiRoutes(families).map(({ key, family }) => `${key} → ${arnOf(family)}`);
    const fallback = `$default → ${arnOf(fallbackFamily)}`;
    expect(made.toSorted()).toEqual([...declared, fallback].toSorted());
    // API Gateway's quota is 300 for an API; the distance leaves room for the endpoints of a release.
    expect(made.length).toBeLessThanOrEqual(285);
  });

  test("invokes for each declared method the family that serves it, with the authorizer if the method is guarded", () => {
    const patterns = httpApiRoutes(families);
    const match = routeTable(patterns);
    for (const { name, routes } of families) {
      for (const route of routes) {
        const found = match(route.method, fullPath(route).slice(1).split("/"))?.route;
        expect([routeKey(route), found?.path, found?.family, found?.openBecause === null]).toEqual([
          routeKey(route),
          fullPath(route),
          name,
          isGuarded(route),
        ]);
      }
    }
  });

  test("leaves out no route for whose family there is no function", () => {
    const targets = new Map(families.map(({ name }) => [name, name]));
    expect(servedRoutes(families, targets)).toHaveLength(httpApiRoutes(families).length);
    targets.delete(fallbackFamily);
    expect(() => servedRoutes(families, targets)).toThrow(`needs the function ${fallbackFamily}`);
  });

  test("has one route for a guarded path of several methods, and beside it one without the authorizer for preflights", () => {
    const authorizationOf = new Map(
      stateless
        .of("AWS::ApiGatewayV2::Route")
        .map(({ Properties }) => [
          String(Properties["RouteKey"]),
          String(Properties["AuthorizationType"]),
        ]),
    );
    const guarded = families.flatMap(({ routes }) => routes.filter(isGuarded));
    const shared = [...Map.groupBy(guarded, fullPath)].flatMap(([path, { length }]) =>
      length > 1 ? [path] : [],
    );
    expect(shared.length).toBeGreaterThan(0);
    const any = [...authorizationOf.keys()].filter((key) => key.startsWith("ANY "));
    expect(any.toSorted()).toEqual(shared.map((path) => `ANY ${path}`).toSorted());
    for (const path of shared) {
      expect([path, authorizationOf.get(`ANY ${path}`)]).toEqual([path, "CUSTOM"]);
      expect([path, authorizationOf.get(`OPTIONS ${path}`)]).toEqual([path, "NONE"]);
    }
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
        "httpMethod",
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
    const guardedKeys = httpApiRoutes(partlyGuarded).flatMap(({ key, openBecause }) =>
      openBecause === null ? [key] : [],
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
