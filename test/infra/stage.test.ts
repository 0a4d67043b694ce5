import { App } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import { stageOptions } from "#infra/cloud/stage.ts";
import { callsPerAddress, windowSeconds } from "#infra/cloud/firewall-stack.ts";
import { lowerThrottles } from "#infra/cloud/throttles.ts";
import { limits } from "#shared/domain/request/rate-limits.ts";
import { routeKey } from "#shared/http/route.ts";
import { families } from "#functions/families.ts";

const read = (context: Record<string, unknown>) => stageOptions(new App({ context }).node);
const certificateArn = "arn:aws:acm:eu-west-1:123456789012:certificate/1a2b";
const production = { stage: "prod", origins: "https://shop.example.com" };

describe("the configuration of a deployment", () => {
  test("defaults to a dev stage that every origin can call, without costly options", () => {
    expect(read({})).toMatchObject({
      stage: "dev",
      origins: ["*"],
      logDays: 14,
      cdn: false,
      reserve: false,
      own: undefined,
    });
  });

  test("keeps logs for 90 days and reserves concurrency in production, unless set otherwise", () => {
    expect(read(production)).toMatchObject({ logDays: 90, reserve: true });
    expect(read({ ...production, logDays: "30", reserve: "false" })).toMatchObject({
      logDays: 30,
      reserve: false,
    });
  });

  test("is refused with the name of an unknown switch, such as a misspelt one", () => {
    expect(() => read({ buget: "500" })).toThrow("There is no switch buget.");
    expect(() => read({ " stage": "prod -c origins=https://shop.example.com" })).toThrow(
      /no switch/,
    );
    expect(() => read({ "@aws-cdk/core:flag": true, "aws:cdk:path": 1 })).not.toThrow();
  });

  test("accepts several origins, separated by commas", () => {
    const origins = "https://shop.example.com,https://admin.example.com";
    expect(read({ origins })).toMatchObject({ origins: origins.split(",") });
  });

  test("uses the custom domain as the API's URL, unless another URL is set", () => {
    const own = { domain: "api.example.com", certificateArn };
    const apiUrl = "https://cdn.example.com";
    expect(read({}).apiUrl).toBeUndefined();
    expect(read(own).apiUrl).toBe("https://api.example.com");
    expect(read({ ...own, apiUrl }).apiUrl).toBe(apiUrl);
  });

  test.each([
    ["production without origins", { stage: "prod" }, /origins/],
    ["an origin with a path", { origins: "https://shop.example.com/" }, /origins/],
    ["an API URL with a path", { apiUrl: "https://api.example.com/api" }, /apiUrl/],
    ["an origin with plain HTTP", { origins: "http://shop.example.com" }, /origins/],
    ["an invalid stage name", { stage: "Prod 1" }, /stage/],
    ["a domain without a certificate", { domain: "api.example.com" }, /certificate/],
    ["a certificate without a domain", { certificateArn }, /certificate/],
    ["CloudFront in an unknown region", { cdn: "true" }, /region/],
    ["a flag that is neither true nor false", { cdn: "perhaps" }, /cdn/],
    ["a log retention that CloudWatch does not support", { logDays: "45" }, /logDays/],
  ])("is refused with the reason for %s", (_what, context, reason) => {
    expect(() => read(context)).toThrow(reason);
  });
});

describe("the throttle that all callers of a route share", () => {
  const routes = families.flatMap((family) => family.routes);
  const { callsPerSecond } = read({});
  const shared = lowerThrottles(routes, callsPerSecond);
  const limited = routes.filter(({ limit }) => limit !== undefined);

  test("is set for every route with a rate limit per caller, well below the throttle of the stage", () => {
    expect([...shared.keys()].toSorted()).toEqual(limited.map(routeKey).toSorted());
    for (const stageRate of [10, callsPerSecond]) {
      for (const { rateLimit } of lowerThrottles(routes, stageRate).values()) {
        expect(rateLimit).toBeGreaterThan(0);
        expect(rateLimit).toBeLessThan(stageRate / 2);
      }
    }
  });

  test("permits at least 100 times the rate limit of one caller", () => {
    for (const route of limited) {
      const { calls, seconds } = limits[route.limit ?? "login"];
      const ratio = (shared.get(routeKey(route))?.rateLimit ?? 0) / (calls / seconds);
      expect([routeKey(route), ratio >= 100]).toEqual([routeKey(route), true]);
    }
  });

  test("permits at least 10 times the requests that the firewall permits to one IP address", () => {
    const perHost = callsPerAddress / windowSeconds;
    for (const [key, { rateLimit }] of shared) {
      expect([key, rateLimit / perHost >= 10]).toEqual([key, true]);
    }
    expect(callsPerSecond / perHost).toBeGreaterThanOrEqual(25);
  });
});
