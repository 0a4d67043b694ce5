import { describe, expect, test } from "vitest";
import { AppError } from "#shared/domain/request/app-error.ts";
import { addToCount, admit, callerOf, countAround } from "#shared/auth/rate-limit.ts";
import { type LimitName, type RateCounters, limits } from "#shared/domain/request/rate-limits.ts";

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

describe("callers by IPv6", () => {
  const household = (subnet: number) => callerOf(`2001:db8:7:${(0x1200 + subnet).toString(16)}::1`);
  const company = (subnet: number) => callerOf(`2001:db8:7:${(subnet << 8).toString(16)}::1`);
  const admitted = async (limit: LimitName, callers: readonly string[], rates = counters()) => {
    let sent = 0;
    for (const caller of callers) {
      const outcome = await admit(rates, limit, caller, minute).catch((error: unknown) => error);
      if (!(outcome instanceof AppError)) sent += 1;
    }
    return sent;
  };
  const many = (of: (subnet: number) => string) => Array.from({ length: 200 }, (_, at) => of(at));

  test.each([
    "coupon",
    "login",
    "leads",
    "quotes",
    "newsletter",
    "notify",
    "fabric_upload",
  ] as const)(
    "of one /56 have four times the limit %s of one caller, of one /48 sixteen times",
    async (limit) => {
      const { calls } = limits[limit];
      expect(await admitted(limit, many(household))).toBe(calls * 4);
      expect(await admitted(limit, many(company))).toBe(calls * 16);
      expect(
        await admitted(
          limit,
          many((at) => `192.0.2.${at}`),
        ),
      ).toBe(200);
    },
  );

  test("have limits of their own where nothing is held or guessed", async () => {
    expect(await admitted("cart", many(household))).toBe(200);
  });

  test("cannot use up their neighbours' limit by requests that their own refuses", async () => {
    const rates = counters();
    const flood = Array.from({ length: 100 }, () => household(1));
    expect(await admitted("coupon", flood, rates)).toBe(10);
    expect(await admitted("coupon", many(household).slice(2), rates)).toBe(30);
  });

  test("are not counted for what succeeds, in any network, if only failures count", async () => {
    const rates = counters();
    for (const caller of many(household)) {
      await (await admit(rates, "login", caller, minute)).succeeded();
    }
    await addToCount(rates, { limit: "login", caller: household(1), by: 0 }, minute);
    expect((await admit(rates, "login", household(1), minute)).headers).toMatchObject({
      "X-RateLimit-Remaining": "4",
    });
  });

  test("are counted together for what is exact per caller, until it is not granted", async () => {
    const rates = counters();
    const options = { limit: "open_orders", calls: 2, reason: "Too many.", now: minute } as const;
    const undo = await countAround(rates, household(0), options);
    for (let at = 1; at < 8; at++) await countAround(rates, household(at), options);
    await expect(countAround(rates, household(9), options)).rejects.toThrow("Too many.");
    await undo();
    await countAround(rates, household(9), options);
    for (let at = 0; at < 20; at++) await countAround(rates, "192.0.2.1", options);
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
