import { describe, expect, test } from "vitest";
import { AppError } from "#shared/domain/request/app-error.ts";
import { admit, callerOf } from "#shared/auth/rate-limit.ts";
import { type RateCounters } from "#shared/domain/request/rate-limits.ts";

function counters(): RateCounters {
  const counts = new Map<string, number>();
  return {
    async increment({ limit, caller, window, by = 1 }) {
      const name = `${limit} ${caller} ${window}`;
      const count = (counts.get(name) ?? 0) + by;
      counts.set(name, count);
      return count;
    },
  };
}

const minute = new Date("2026-11-21T06:30:15.000Z");

describe("a limit of ten requests a minute", () => {
  test("accepts the tenth request with a remaining count of zero", async () => {
    const rates = counters();
    for (let call = 1; call < 10; call++) await admit(rates, "coupon", "a", minute);
    const { headers } = await admit(rates, "coupon", "a", minute);
    expect(headers).toEqual({
      "X-RateLimit-Limit": "10",
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": String(Date.parse("2026-11-21T06:31:00.000Z") / 1000),
    });
  });

  test("refuses the eleventh request until the window ends", async () => {
    const rates = counters();
    for (let call = 1; call <= 10; call++) await admit(rates, "coupon", "a", minute);
    const refused: unknown = await admit(rates, "coupon", "a", minute).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({
      code: "too_many_requests",
      refusal: { headers: { "Retry-After": "45" } },
    });
  });

  test("counts each caller, limit and minute separately", async () => {
    const rates = counters();
    for (let call = 1; call <= 10; call++) await admit(rates, "coupon", "a", minute);
    await admit(rates, "coupon", "b", minute);
    await admit(rates, "tracking", "a", minute);
    await admit(rates, "coupon", "a", new Date("2026-11-21T06:31:00.000Z"));
  });
});

describe("a limit of five failed logins a minute", () => {
  test("does not count successful logins", async () => {
    const rates = counters();
    for (let call = 1; call <= 20; call++) {
      await (await admit(rates, "login", "a", minute)).succeeded();
    }
    expect((await admit(rates, "login", "a", minute)).headers["X-RateLimit-Remaining"]).toBe("4");
  });

  test("counts each login in progress until it succeeds, so that concurrent attempts cannot exceed the limit", async () => {
    const rates = counters();
    const burst = await Promise.allSettled(
      Array.from({ length: 20 }, () => admit(rates, "login", "a", minute)),
    );
    expect(burst.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });

  test("counts failed logins only, while the registration limit counts every request", async () => {
    const rates = counters();
    for (let call = 1; call <= 5; call++) {
      await (await admit(rates, "register", "a", minute)).succeeded();
    }
    await expect(admit(rates, "register", "a", minute)).rejects.toThrow(AppError);
  });
});

describe("the rate limit key of a caller", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::ffff", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("with the IP address %s is %s", (ip, caller) => {
    expect(callerOf(ip)).toBe(caller);
  });
});
