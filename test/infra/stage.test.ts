import { App } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import { stageOptions } from "#infra/cloud/stage.ts";
import { lowerThrottles } from "#infra/cloud/throttles.ts";
import { families } from "#functions/families.ts";

const read = (context: Record<string, unknown>) => stageOptions(new App({ context }).node);
const certificateArn = "arn:aws:acm:eu-west-1:123456789012:certificate/1a2b";
const production = { stage: "prod", origins: "https://shop.example.com" };

describe("the switches of a deployment", () => {
  test("default to a dev stage for every origin without costly options", () => {
    expect(read({})).toMatchObject({
      stage: "dev",
      origins: ["*"],
      logDays: 14,
      cdn: false,
      reserve: false,
      own: undefined,
    });
  });

  test("keep logs longer and reserve concurrency in production", () => {
    expect(read(production)).toMatchObject({ logDays: 90, reserve: true });
    expect(read({ ...production, logDays: "30", reserve: "false" })).toMatchObject({
      logDays: 30,
      reserve: false,
    });
  });

  test("accept several origins as text from the command line", () => {
    const origins = "https://shop.example.com,https://admin.example.com";
    expect(read({ origins })).toMatchObject({ origins: origins.split(",") });
  });

  test.each([
    ["production without origins", { stage: "prod" }, /origins/],
    ["an origin with a path", { origins: "https://shop.example.com/" }, /origins/],
    ["an origin in clear", { origins: "http://shop.example.com" }, /origins/],
    ["a name that no stack can have", { stage: "Prod 1" }, /stage/],
    ["a domain without a certificate", { domain: "api.example.com" }, /certificate/],
    ["a certificate without a domain", { certificateArn }, /certificate/],
    ["CloudFront in an unknown region", { cdn: "true" }, /region/],
    ["a flag that is neither", { cdn: "perhaps" }, /cdn/],
    ["days that CloudWatch does not know", { logDays: "45" }, /logDays/],
  ])("are refused with the reason: %s", (_what, context, reason) => {
    expect(() => read(context)).toThrow(reason);
  });
});

test("routes with a limit per caller are also throttled as a whole, login and uploads lower than checkout", () => {
  const routes = families.flatMap((family) => family.routes);
  const lower = lowerThrottles(routes, 500);
  const checkout = lower.get("POST /api/v1/checkout")?.rateLimit ?? 500;
  expect(checkout).toBeLessThan(500);
  for (const key of [
    "POST /api/v1/auth/login",
    "POST /api/v1/admin/auth/login",
    "POST /api/v1/auth/register",
    "POST /api/v1/media/fabric",
  ]) {
    expect([key, (lower.get(key)?.rateLimit ?? 500) < checkout]).toEqual([key, true]);
  }
  expect(lower.has("GET /api/v1/products")).toBe(false);

  const slowStage = 15;
  for (const { rateLimit } of lowerThrottles(routes, slowStage).values()) {
    expect(rateLimit).toBeLessThan(slowStage);
  }
});
