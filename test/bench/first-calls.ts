import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { families, type Family } from "#functions/families.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";
import { type EventParts, anEvent } from "#test/support/http/in-process.ts";
import { signedIn, worldOf } from "#test/support/people/people.ts";

/** A family's first call in a new process. */
export interface FirstCall {
  readonly family: Family;
  readonly route: string;
  readonly event: APIGatewayProxyEventV2;
  /** Whether the call reads S3 as well as the table. */
  readonly readsObjects: boolean;
}

/** For each family, one or more routes that need few storage requests. No route of the family `docs` reads storage. */
const cheapest: Readonly<Record<string, readonly string[]>> = {
  content: ["GET /bootstrap"],
  catalog: ["GET /products", "GET /products/{slug}"],
  cart: ["GET /cart"],
  checkout: ["POST /checkout/{order}/confirm"],
  account: ["GET /auth/me"],
  "admin-auth": ["GET /admin/auth/me"],
  "admin-staff": ["GET /admin/roles"],
  "admin-settings": ["GET /admin/settings/{group}"],
  "admin-insights": ["GET /admin/activity"],
  "admin-catalog": ["GET /admin/categories"],
  "admin-content": ["GET /admin/menus"],
  "admin-orders": ["GET /admin/coupons"],
  "admin-sales": ["PATCH /admin/orders/{id}/refunds/{transaction}"],
  "admin-deliveries": ["GET /admin/deliveries"],
  "admin-leads": ["GET /admin/leads"],
  "admin-inbox": ["GET /admin/inbox/quick-replies"],
  "admin-media": ["GET /admin/media"],
  "admin-exports": ["GET /admin/exports/{type}"],
  enquiries: ["GET /media/fabric/{id}"],
  analytics: ["POST /analytics/events"],
  webhooks: ["GET /webhooks/messaging/whatsapp"],
};

const parts: Readonly<Record<string, EventParts>> = {
  "GET /products/{slug}": { params: { slug: "kaveri-lounge-chair" } },
  "GET /cart": { headers: { "x-cart-token": "a".repeat(43) } },
  "POST /checkout/{order}/confirm": {
    params: { order: "ord_01JD0000000000000000000000" },
    headers: { "x-order-token": "a".repeat(43) },
    body: {},
  },
  "GET /admin/deliveries": { query: { date: "2026-11-28" } },
  "GET /admin/exports/{type}": { params: { type: "media" } },
  "GET /admin/settings/{group}": { params: { group: "store" } },
  "GET /media/fabric/{id}": { params: { id: "upl_01JD0000000000000000000000" } },
  "POST /analytics/events": {
    body: {
      event_id: "e-1",
      name: "page_view",
      occurred_at: new Date().toISOString(),
      session_id: "s-1",
    },
  },
  "GET /webhooks/messaging/whatsapp": {
    query: { "hub.mode": "subscribe", "hub.challenge": "1", "hub.verify_token": "wrong" },
  },
};

/** The first calls of all families that have a route which reads storage. */
export async function firstCalls(environment: StackEnvironment): Promise<FirstCall[]> {
  const world = worldOf(environment);
  const claims = {
    staff: (await signedIn(world, "staff")).claims,
    customer: (await signedIn(world, "customer")).claims,
  };
  return families.flatMap((family) =>
    (cheapest[family.name] ?? []).map((route): FirstCall => {
      const declared = family.routes.find(({ method, path }) => `${method} ${path}` === route);
      if (!declared) throw new Error(`${family.name} has no route ${route}`);
      const { guard } = declared.access;
      const caller = guard === "staff" || guard === "customer" ? claims[guard] : undefined;
      const verdict = caller && { ...caller, role: caller.role ?? "" };
      const [method, path] = route.split(" ");
      const key = `${method} ${declared.outsideApi ? "" : "/api/v1"}${path}`;
      return {
        family,
        route,
        event: anEvent(key, { ...parts[route], ...(verdict && { verdict }) }),
        readsObjects: route === "GET /products",
      };
    }),
  );
}
