import { isDeepStrictEqual } from "node:util";
import { randomUUID } from "node:crypto";
import { openStripeControl } from "#infra/local/stripe/control-client.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";
import { aCheckout, plantProduct, tableOf } from "#test/support/shop/plant.ts";
import { type Client, type Reply, clientOf } from "#test/support/http/client.ts";
import {
  type StorageCall,
  sequentialSteps,
  totalUnits,
} from "#test/support/emulators/dynamodb-calls.ts";
import type { ProxiedService } from "#test/support/stack/table.ts";
import type { StillClock } from "#test/support/stack/clock.ts";

/** The cost of one call of an endpoint in DynamoDB. */
export interface StorageCost {
  readonly endpoint: string;
  readonly requests: number;
  /** Requests in sequence; concurrent ones count as one. */
  readonly steps: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Bytes of the response body. */
  readonly bytes: number;
  readonly calls: readonly StorageCall[];
  /**
   * Whether the measurement may be wrong, because a call was retried or a cached value was read again. Such a read is
   * not counted, but may have delayed other requests.
   */
  readonly disturbed: boolean;
}

interface Placed {
  data: { order: { id: string; number: string } };
}

/** Latency that the proxy adds, so that concurrent requests overlap visibly. */
export const visibleLatencyMs = 15;

/** A wait after which functions read the catalog pointer and the settings again. */
const staleAfterMs = 2_100;

/** Reads that a warm function repeats every two seconds, whatever the call. */
export const isRepeatedRead = (partition: string) =>
  /^(?:SETTINGS$|VIEW#|SECRETS#|PUBLIC$)/.test(partition);

/** Whether the request is a retry after a conflict. */
const isRepeat = (
  { operation, partitions, attempt }: StorageCall,
  at: number,
  all: StorageCall[],
) =>
  attempt > 1 ||
  (operation === "TransactWriteItems" &&
    all.slice(0, at).some((before) => isDeepStrictEqual(before.partitions, partitions)));

/**
 * The cost of one call.
 *
 * @param options.revalidates also counts the reads that are repeated every two seconds
 * @throws Error when the call is refused
 */
export async function costOf<Body>(
  { proxy }: ProxiedService,
  endpoint: string,
  call: () => Promise<Reply<Body>>,
  { revalidates = false } = {},
): Promise<{ result: Reply<Body>; cost: StorageCost }> {
  const { result, calls: all } = await proxy.record(call);
  const calls = all.filter(
    ({ partitions }) => revalidates || !partitions.every((each) => isRepeatedRead(each)),
  );
  if (result.status >= 400) throw new Error(`${endpoint}: ${result.status} ${result.text}`);
  const { read, write } = totalUnits(calls);
  const cost = {
    endpoint,
    requests: calls.length,
    steps: sequentialSteps(calls),
    readUnits: read,
    writeUnits: write,
    bytes: Buffer.byteLength(result.text),
    calls,
    disturbed: calls.length < all.length || all.some(isRepeat),
  };
  return { result, cost };
}

/**
 * Calls every endpoint from browsing to an order on warm functions, over the demo shop.
 *
 * @param environment of the stack with the demo shop; the product to buy is added to it
 */
export async function measureStorageCosts(
  service: ProxiedService,
  environment: StackEnvironment,
  clock: StillClock,
): Promise<StorageCost[]> {
  return clock.still(() => measureWay(service, environment, clock));
}

async function measureWay(
  service: ProxiedService,
  environment: StackEnvironment,
  clock: StillClock,
): Promise<StorageCost[]> {
  const table = tableOf(environment);
  const stripe = openStripeControl(environment.STRIPE_API_URL);
  const { sku } = await plantProduct(table);
  const client = clientOf(service.baseUrl);
  const costs: StorageCost[] = [];

  /** Measures a call. An earlier call must have done the function's first reads, which do not count. */
  async function measure<Body>(
    endpoint: string,
    call: () => Promise<Reply<Body>>,
    options?: { revalidates: boolean },
  ): Promise<Reply<Body>> {
    const { result, cost } = await costOf(service, endpoint, call, options);
    costs.push(cost);
    return result;
  }
  async function measureWarm(endpoint: string, path: string): Promise<void> {
    await client.get(path);
    await measure(endpoint, () => client.get(path));
  }

  /** Measures calls that ask the payment gateway. A first order warms the caches, and the second one is measured. */
  async function measureOnline(): Promise<void> {
    const orders = [];
    for (const counts of [false, true]) {
      const cart = await client.post("/cart", { items: [{ sku, quantity: 1 }] });
      const headers = { "x-cart-token": cart.headers.get("x-cart-token") ?? "" };
      const body = aCheckout({ payment_method: "gateway" });
      // A webhook that arrives before the checkout ends would cost the checkout another read.
      await stripe.hold(String(body["email"]));
      const place = () => client.post<Placed>("/checkout", body, headers);
      const placed = counts ? await measure("POST /checkout, gateway", place) : await place();
      orders.push({ id: placed.body.data.order.id, headers });
    }
    const [first, second] = orders;
    for (const { id, headers } of first && second ? [first, second] : []) {
      const confirm = () => client.post(`/checkout/${id}/confirm`, {}, headers);
      if (id === first?.id) await confirm();
      else await measure("POST /checkout/{order}/confirm, gateway", confirm);
    }
  }

  const listed = await slugsOf(client);
  for (const [endpoint, path] of [
    ["GET /health", "/health"],
    ["GET /bootstrap", "/bootstrap"],
    ["GET /home", "/home"],
    ["GET /faqs", "/faqs"],
    ["GET /interiors", "/interiors"],
    ["GET /redirects", "/redirects"],
    ["GET /products", "/products?color=grey,blue&sort=price"],
    ["GET /products, facets", "/products?include=facets"],
    ["GET /products, search", "/products?q=chair"],
    ["GET /products/{slug}", `/products/${listed.product}`],
    ["GET /products/{slug}/related", `/products/${listed.product}/related`],
    ["GET /categories", "/categories?kind=category"],
    ["GET /sofas", "/sofas"],
    ["GET /sofas/{slug}", `/sofas/${listed.sofa}`],
    ["GET /sofas/materials", "/sofas/materials"],
  ] as const) {
    await measureWarm(endpoint, path);
  }
  clock.pass(staleAfterMs);
  await measure("GET /products, revalidating", () => client.get("/products"), {
    revalidates: true,
  });
  // The index was checked just now and is not checked again for two seconds, so it cannot contain this product.
  const unseen = (await plantProduct(table)).product;
  await measure("GET /products/{slug}, not in the view yet", () =>
    client.get(`/products/${unseen.slug}`),
  );

  const items = [{ sku, quantity: 1 }];
  const price = `/sofas/${listed.sofa}/price`;
  await client.post(price, { configuration: {} });
  await measure("POST /sofas/{slug}/price", () => client.post(price, { configuration: {} }));
  await client.post("/cart", { items });
  const made = await measure("POST /cart, new", () => client.post("/cart", { items }));
  const token = { "x-cart-token": made.headers.get("x-cart-token") ?? "" };
  await measure("PATCH /cart/items", () => client.patch("/cart/items", { items }, token));
  await measure("GET /cart", () => client.get("/cart", token));
  await measure("GET /shipping/quote", () =>
    client.get("/shipping/quote?postal_code=560001", token),
  );
  await measure("POST /checkout/coupon", () =>
    client.post("/checkout/coupon", { code: "NONE" }, token),
  );
  const placed = await measure<Placed>("POST /checkout", () =>
    client.post("/checkout", aCheckout(), { ...token, "idempotency-key": token["x-cart-token"] }),
  );
  const { id, number } = placed.body.data.order;
  const confirm = () => client.post(`/checkout/${id}/confirm`, {}, token);
  await confirm();
  await measure("POST /checkout/{order}/confirm", confirm);
  await measure("POST /checkout/{order}/payment", () =>
    client.post(`/checkout/${id}/payment`, { payment_method: "cod" }, token),
  );
  await measureOnline();
  await measure("GET /orders/track/{number}", () => client.get(`/orders/track/${number}`));
  await client.post("/analytics/events", aPageView());
  await measure("POST /analytics/events", () => client.post("/analytics/events", aPageView()));
  return costs;
}

const aPageView = () => ({
  event_id: randomUUID(),
  session_id: randomUUID(),
  name: "page_view",
  occurred_at: new Date().toISOString(),
});

async function slugsOf(client: Client): Promise<{ product: string; sofa: string }> {
  const first = async (list: string) =>
    (await client.get<{ data: { slug: string }[] }>(list)).body.data[0]?.slug ?? "";
  return { product: await first("/products"), sofa: await first("/sofas") };
}
