import { asResource } from "#test/support/stack/toy-service.ts";
import { beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import type { Claims, Verdict, Identity, SessionState } from "#shared/auth/identity.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import {
  type RouteAccess,
  type Call,
  anyone,
  customer,
  optionalCustomer,
  route,
  staff,
} from "#shared/http/route.ts";
import { type FrameDeps, serve } from "#shared/http/serve.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { type EventParts, type Problem, anEvent, invoke } from "#test/support/http/in-process.ts";

const claims: Claims = { guard: "customer", subject: "cus_1", session: "ses_1", role: null };
const asCustomer: Verdict = { guard: "customer", subject: "cus_1", session: "ses_1" };
const asStaff: Verdict = { guard: "staff", subject: "stf_1", session: "ses_2", role: "role_1" };

let sessionState: () => Promise<SessionState | undefined>;
let calls: number;
let asked: Claims[];
let seen: Partial<Call>[];
let onFirst: () => void;

const touch = (path: string, access: RouteAccess) =>
  route({
    method: "POST",
    path,
    summary: "Touch it",
    access,
    limit: "coupon",
    request: { body: z.strictObject({ n: z.int() }) },
    response: { status: 204 },
    async first({ actor }, _deps: FrameDeps) {
      onFirst();
      return actor;
    },
    async handle({ actor, permissions, first }, _deps: FrameDeps) {
      seen.push({ actor, permissions, first });
    },
  });

const identity: Identity = {
  readToken: async (token) => (token === "good" ? claims : undefined),
  async sessionState(claims) {
    asked.push(claims);
    return sessionState();
  },
};

const handler = serve(
  asResource(
    touch("/open", anyone),
    touch("/either", optionalCustomer),
    touch("/proven", { guard: "optional", guestSends: ["x-order-token", "x-cart-token"] }),
    touch("/mine", customer),
    touch("/staff", staff("orders.refund")),
    touch("/any-staff", staff(null)),
  ),
  () => ({
    customerIdentity: identity,
    staffIdentity: identity,
    rates: { increment: async () => calls },
  }),
);

const post = (path: string, parts: EventParts = {}) =>
  invoke<Problem | undefined>(
    handler,
    anEvent(`POST /api/v1${path}`, { body: { n: 1 }, ...parts }),
  );
const codeOf = async (path: string, parts?: EventParts) => {
  const { status, body } = await post(path, parts);
  return body ? `${status} ${body.code}` : String(status);
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

beforeEach(() => {
  sessionState = async () => ({ permissions: [] });
  calls = 1;
  asked = [];
  seen = [];
  onFirst = () => undefined;
});

describe("a route that is open to everyone", () => {
  test("ignores every token", async () => {
    expect(await codeOf("/open", { headers: bearer("bad") })).toBe("204");
    expect(seen).toMatchObject([{ actor: { kind: "guest" }, permissions: [] }]);
    expect(asked).toEqual([]);
  });
});

describe("a route with optional sign-in", () => {
  test("treats a caller without a token as a guest, without a storage read", async () => {
    expect(await codeOf("/either")).toBe("204");
    expect(seen).toMatchObject([{ actor: { kind: "guest" } }]);
    expect(asked).toEqual([]);
  });

  test("identifies a customer by the token, concurrently with its first storage read", async () => {
    expect(await codeOf("/either", { headers: bearer("good") })).toBe("204");
    const actor = { kind: "customer", id: "cus_1", session: "ses_1" };
    expect(seen).toEqual([{ actor, permissions: [], first: actor }]);
    expect(asked).toEqual([claims]);
  });

  test.each(["Bearer bad", "Bearer", "Basic good", "good", ""])(
    "refuses the Authorization header %j instead of treating the caller as a guest",
    async (authorization) => {
      expect(await codeOf("/either", { headers: { authorization } })).toBe("401 unauthenticated");
      expect([asked, seen]).toEqual([[], []]);
    },
  );

  test("refuses a token whose session has ended", async () => {
    sessionState = async () => undefined;
    expect(await codeOf("/either", { headers: bearer("good") })).toBe("401 unauthenticated");
  });
});

describe("a route that requires a proof of its guests", () => {
  test.each<Record<string, string>>([{}, { "x-order-token": "" }, { "x-other": "1" }])(
    "refuses a guest with the headers %j with the gateway's message for callers without a token",
    async (headers) => {
      const { status, body, headers: sent } = await post("/proven", { headers });
      expect([status, body?.code, body?.message]).toEqual([401, "unauthenticated", "Unauthorized"]);
      expect(sent["WWW-Authenticate"]).toBe("Bearer");
      expect(seen).toEqual([]);
    },
  );

  test.each(["x-order-token", "x-cart-token"])("accepts a guest who sends %s", async (name) => {
    expect(await codeOf("/proven", { headers: { [name]: "x" } })).toBe("204");
    expect(seen).toMatchObject([{ actor: { kind: "guest" } }]);
  });

  test("accepts a customer, and refuses a bad token even beside a proof", async () => {
    expect(await codeOf("/proven", { headers: bearer("good") })).toBe("204");
    const headers = { ...bearer("bad"), "x-order-token": "x" };
    expect(await codeOf("/proven", { headers })).toBe("401 unauthenticated");
  });
});

describe("a route that requires sign-in", () => {
  test("takes the caller's identity from the API Gateway authorizer", async () => {
    expect(await codeOf("/mine", { verdict: asCustomer })).toBe("204");
    expect(asked).toEqual([claims]);
    expect(seen).toMatchObject([{ actor: { kind: "customer", id: "cus_1", session: "ses_1" } }]);
  });

  test.each<[string, string, Verdict | undefined]>([
    ["/mine", "a staff user", asStaff],
    ["/staff", "a customer", asCustomer],
    ["/mine", "an anonymous caller", { guard: "anonymous", reason: "expired" }],
    ["/staff", "an anonymous caller", { guard: "anonymous", reason: "malformed" }],
    ["/mine", "a caller that the authorizer did not check", undefined],
  ])("with the path %s refuses %s without a storage read", async (path, _who, verdict) => {
    sessionState = async () => ({ permissions: ["*"] });
    const reply = await post(path, {
      ...(verdict && { verdict }),
      headers: bearer("good"),
    });
    expect([reply.status, reply.body?.code]).toEqual([401, "unauthenticated"]);
    expect(reply.headers["WWW-Authenticate"]).toBe("Bearer");
    expect([asked, seen]).toEqual([[], []]);
  });

  test("checks the session concurrently with its first storage read", async () => {
    const read = Promise.withResolvers<void>();
    onFirst = read.resolve;
    sessionState = async () => {
      await read.promise;
      return { permissions: [] };
    };
    expect(await codeOf("/mine", { verdict: asCustomer })).toBe("204");
  });

  test("passes no data to its handler if the session has ended", async () => {
    sessionState = async () => undefined;
    expect(await codeOf("/mine", { verdict: asCustomer })).toBe("401 unauthenticated");
    onFirst = () => {
      throw new AppError("not_found");
    };
    expect(await codeOf("/mine", { verdict: asCustomer })).toBe("401 unauthenticated");
    expect(seen).toEqual([]);
  });
});

describe("a route that requires a staff permission", () => {
  test.each<[string, readonly string[], string]>([
    ["/staff", ["orders.refund"], "204"],
    ["/staff", ["orders.*"], "204"],
    ["/staff", ["orders"], "204"],
    ["/staff", ["*"], "204"],
    ["/staff", ["orders.view", "content.*"], "403 forbidden"],
    ["/staff", [], "403 forbidden"],
    ["/any-staff", [], "204"],
  ])(
    "with the path %s, called with the permissions %j, returns %s",
    async (path, permissions, expected) => {
      sessionState = async () => ({ permissions });
      expect(await codeOf(path, { verdict: asStaff })).toBe(expected);
      if (expected === "204") expect(seen).toMatchObject([{ permissions }]);
    },
  );

  test("names the missing permission in the error", async () => {
    const { body } = await post("/staff", { verdict: asStaff });
    expect(body?.details).toEqual({ permission: "orders.refund" });
  });

  test("gives the token's role to the session check", async () => {
    await post("/any-staff", { verdict: asStaff });
    expect(asked).toEqual([{ guard: "staff", subject: "stf_1", session: "ses_2", role: "role_1" }]);
  });
});

describe("the checks of a guarded route", () => {
  const worst = { verdict: asStaff, body: "{", headers: { "content-type": "text/plain" } };

  test("run in the order: body size, session, permission, rate limit, content type, body", async () => {
    calls = 11;
    sessionState = async () => undefined;
    expect(await codeOf("/staff", { ...worst, body: "a".repeat(300_000) })).toBe(
      "413 payload_too_large",
    );
    expect(await codeOf("/staff", worst)).toBe("401 unauthenticated");
    sessionState = async () => ({ permissions: [] });
    expect(await codeOf("/staff", worst)).toBe("403 forbidden");
    sessionState = async () => ({ permissions: ["*"] });
    expect(await codeOf("/staff", worst)).toBe("429 too_many_requests");
    calls = 1;
    expect(await codeOf("/staff", worst)).toBe("415 unsupported_media_type");
    expect(await codeOf("/staff", { verdict: asStaff, body: "{" })).toBe("400 malformed_json");
    expect(await codeOf("/staff", { verdict: asStaff, body: {} })).toBe("422 validation_failed");
    expect(seen).toEqual([]);
  });

  test("return 503 if the session cannot be read", async () => {
    sessionState = async () => {
      throw new Unavailable("storage");
    };
    expect(await codeOf("/mine", { verdict: asCustomer, body: "{" })).toBe("503 unavailable");
  });
});
