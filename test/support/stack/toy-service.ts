import { authorizer } from "#functions/families.ts";
import { gateway } from "#infra/local/gateway/gateway.ts";
import { type HttpServer, listen } from "#infra/local/gateway/http-server.ts";
import { loadAuthorizer } from "#infra/local/functions/load-function.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";
import { openCustomerIdentity } from "#shared/application/identity/customer-identity.ts";
import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";
import { corsFor } from "#shared/http/cors.ts";
import {
  type RouteAccess,
  type Route,
  customer,
  fullPath,
  isGuarded,
  optionalCustomer,
  route,
  staff,
} from "#shared/http/route.ts";
import { type FrameDeps, serve } from "#shared/http/serve.ts";
import * as z from "zod";
import { tableOf } from "../shop/plant.ts";
import type { Resource } from "#shared/http/resource.ts";

/** A route that returns its caller. */
const whoAmI = (path: string, access: RouteAccess) =>
  route({
    method: "POST",
    path,
    summary: "Who is calling",
    access,
    request: { body: z.strictObject({}) },
    response: { status: 200, data: z.object({ kind: z.string(), id: z.string().optional() }) },
    handle: async ({ actor }, _deps: FrameDeps) => ({ data: actor }),
  });

export const toyRoutes: readonly Route<FrameDeps>[] = [
  whoAmI("/toy/either", optionalCustomer),
  whoAmI("/toy/customer", customer),
  whoAmI("/toy/staff", staff("orders.view")),
];

/** Routes of every guard behind the real gateway, authorizer, framework and storage of a running stack. */
export async function startToyService(environment: StackEnvironment): Promise<HttpServer> {
  const table = tableOf(environment);
  const keys = openKeys({ keys: environment.CUSTOMER_TOKEN_KEYS, secret: undefined });
  const customers = openCustomerIdentity(table, keys);
  const staffUsers = openStaffIdentity(table);
  const target = {
    name: "toy",
    memoryMb: 512,
    timeoutSeconds: 10,
    handler: serve(asResource(...toyRoutes), () => ({
      customerIdentity: customers,
      staffIdentity: staffUsers,
    })),
  };
  const server = await listen(0);
  server.serve(
    gateway({
      routes: toyRoutes.map((route) => ({
        method: route.method,
        path: fullPath(route),
        guarded: isGuarded(route),
        target,
      })),
      authorizer: await loadAuthorizer(authorizer, environment),
      cors: corsFor(["*"]),
    }),
  );
  return server;
}

/** Routes of any paths as one resource, for `serve`. */
export const asResource = <Deps>(...routes: readonly Route<Deps>[]): Resource<Deps>[] => [
  { paths: routes.map(({ path }) => path), load: async () => ({ routes }) },
];
