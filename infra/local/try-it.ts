import * as z from "zod";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { demoBuyer } from "./demo/data/buyer.ts";
import { demoLogins } from "./demo/data/staff.ts";
import type { StackEnvironment } from "./stack.ts";
import { emulatorKeys } from "./stripe/keys.ts";

const Cards = z.object({
  data: z.array(z.object({ slug: z.string(), availability: z.object({ state: z.string() }) })),
});
const ProductDetail = z.object({
  data: z.object({
    cod_eligible: z.boolean(),
    variants: z.array(z.object({ sku: z.string(), availability: z.object({ state: z.string() }) })),
  }),
});
const SofaDetail = z.object({ data: z.object({ default_configuration: z.unknown() }) });
const Quote = z.object({
  data: z.object({
    methods: z.array(
      z.object({ code: z.string(), payment_plans: z.array(z.object({ code: z.string() })) }),
    ),
  }),
});

const Slots = z.object({
  data: z.object({
    days: z.array(
      z.object({
        date: z.string(),
        windows: z.array(z.object({ code: z.string(), available: z.boolean() })),
      }),
    ),
  }),
});

const { postal_code, country } = demoBuyer.shipping_address;
const destination = { postal_code, country };

/**
 * Shell commands with real records of the running shop. An empty shop gets fewer of them.
 *
 * @param stripeUrl of the Stripe emulator
 */
export async function tryIt(baseUrl: string, stripeUrl: string): Promise<string[]> {
  const api = baseUrl + apiPrefix;
  const ask = asking(api);

  const lines = [`curl -s ${api}/health`, `curl -s '${api}/products?per_page=3&include=facets'`];

  const [sofa] = (await ask("/sofas?per_page=1", Cards))?.data ?? [];
  const detail = sofa && (await ask(`/sofas/${sofa.slug}`, SofaDetail));
  if (sofa && detail) {
    lines.push(
      post(`${api}/sofas/${sofa.slug}/price`, { configuration: detail.data.default_configuration }),
      post(`${api}/sofas/${sofa.slug}/fit`, { openings, room }),
    );
  }

  const sku = await skuInStock(ask);
  const methods =
    (await ask(`/shipping/quote?${new URLSearchParams(destination).toString()}`, Quote))?.data
      .methods ?? [];
  const [method] = methods;
  if (sku && method) {
    lines.push(...buying(api, sku, method.code), ...paying(api, stripeUrl, sku, method.code));
    lines.push(...(await choosingSlot(baseUrl, sku, methods)));
  }
  const sofas = new URLSearchParams({ ...destination, items: sofa?.slug ?? "" }).toString();
  const [bySofa] = (sofa && (await ask(`/shipping/quote?${sofas}`, Quote)))?.data.methods ?? [];
  if (sofa && bySofa?.payment_plans.some(({ code }) => code === "deposit"))
    lines.push(...payingInParts(api, stripeUrl, sofa.slug, bySofa.code));
  return lines;
}

/** A door, the corner behind it, and the room. */
const openings = [
  { kind: "door", width_mm: 900, height_mm: 2_100 },
  { kind: "corner", width_mm: 1_100, height_mm: 2_400 },
];
const room = { width_mm: 4_000, depth_mm: 3_500 };

const asking =
  (api: string): Ask =>
  async (path, schema) =>
    schema.safeParse(await (await fetch(api + path)).json()).data;

/** A guest lists the free delivery times, holds one, and books it by checkout. */
export async function choosingSlot(
  baseUrl: string,
  sku: string,
  methods: readonly { readonly code: string }[],
): Promise<string[]> {
  const api = baseUrl + apiPrefix;
  for (const { code: shipping_method } of methods) {
    const query = new URLSearchParams({ ...destination, shipping_method, items: sku }).toString();
    const { days = [] } = (await asking(api)(`/shipping/slots?${query}`, Slots))?.data ?? {};
    const [free] = days.flatMap(({ date, windows }) =>
      windows.flatMap(({ code, available }) => (available ? { date, window: code } : [])),
    );
    if (!free) continue;
    const wanted = { ...free, postal_code, shipping_method };
    const proof = '-H "X-Cart-Token: $CART"';
    return [
      `curl -s '${api}/shipping/slots?${query}'`,
      cartOf(api, { sku }),
      send("PUT", `${api}/cart/slot`, wanted, proof),
      checkoutOf(api, shipping_method, { payment_method: "cod" }),
    ];
  }
  return [];
}

type Ask = <Schema extends z.ZodType>(
  path: string,
  schema: Schema,
) => Promise<z.output<Schema> | undefined>;

async function skuInStock(ask: Ask): Promise<string | undefined> {
  const cards = (await ask("/products", Cards))?.data ?? [];
  for (const { slug } of cards.filter(({ availability }) => availability.state === "in_stock")) {
    const product = (await ask(`/products/${slug}`, ProductDetail))?.data;
    const variant = product?.variants.find(({ availability }) => availability.state === "in_stock");
    if (product?.cod_eligible && variant) return variant.sku;
  }
  return undefined;
}

const cartOf = (api: string, item: object) =>
  keep("CART", "token", post(`${api}/cart`, { items: [{ ...item, quantity: 1 }] }));

function checkoutOf(api: string, shipping_method: string, how: object): string {
  const order = { ...demoBuyer, shipping_method, ...how };
  return post(`${api}/checkout`, order, '-H "X-Cart-Token: $CART"');
}

/** Commands from an empty cart to a tracked order. Each may use variables that earlier commands have set. */
function buying(api: string, sku: string, shippingMethod: string): string[] {
  return [
    cartOf(api, { sku }),
    `curl -s ${api}/cart -H "X-Cart-Token: $CART"`,
    `PLACED=$(${checkoutOf(api, shippingMethod, { payment_method: "cod" })})`,
    keep("ORDER", "number", 'echo "$PLACED"'),
    `curl -s ${api}/orders/track/$ORDER`,
    ...inTheBuyersHands(api),
  ];
}

/** A guest reads and cancels the placed order. */
function inTheBuyersHands(api: string): string[] {
  const proof = '-H "X-Order-Token: $PROOF"';
  return [
    keep("ID", "id", 'echo "$PLACED"'),
    keep("PROOF", "order_access_token", 'echo "$PLACED"'),
    `curl -s ${api}/orders/$ID ${proof}`,
    `curl -s -X POST ${api}/orders/$ID/cancel ${proof}`,
  ];
}

/** Pays at the Stripe emulator by card, as a storefront does. Uses the variable `SECRET`. */
const payByCard = (stripeUrl: string) =>
  `curl -s ${stripeUrl}/v1/payment_intents/\${SECRET%_secret_*}/confirm -u ${emulatorKeys.publishableKey}: ` +
  "-d client_secret=$SECRET -d payment_method=pm_card_visa";

/** Like `buying`, with a card payment. */
function paying(api: string, stripeUrl: string, sku: string, shippingMethod: string): string[] {
  return [
    cartOf(api, { sku }),
    `PLACED=$(${checkoutOf(api, shippingMethod, { payment_method: "gateway" })})`,
    keep("ORDER", "number", 'echo "$PLACED"'),
    keep("SECRET", "client_secret", 'echo "$PLACED"'),
    payByCard(stripeUrl),
    `curl -s ${api}/orders/track/$ORDER`,
  ];
}

/** A sofa is made to order: its deposit is paid by card, then its balance. */
function payingInParts(api: string, stripeUrl: string, sofa: string, method: string): string[] {
  const proof = '-H "X-Cart-Token: $CART"';
  const how = { payment_method: "gateway", payment_plan: "deposit" };
  return [
    cartOf(api, { sofa, configuration: {} }),
    `PLACED=$(${checkoutOf(api, method, how)})`,
    keep("ID", "id", 'echo "$PLACED"'),
    keep("SECRET", "client_secret", 'echo "$PLACED"'),
    payByCard(stripeUrl),
    `curl -s -X POST ${api}/checkout/$ID/confirm ${proof}`,
    keep(
      "SECRET",
      "client_secret",
      post(`${api}/checkout/$ID/payment`, { payment_method: "gateway" }, proof),
    ),
    payByCard(stripeUrl),
    `curl -s -X POST ${api}/checkout/$ID/confirm ${proof}`,
    `curl -s ${api}/orders/$ID/documents ${proof}`,
  ];
}

/** Sets the variables that the documentation uses. */
export const addresses = (baseUrl: string, environment: StackEnvironment): string =>
  `API=${baseUrl}${apiPrefix} INBOX=${environment.SES_ENDPOINT} STRIPE=${environment.STRIPE_API_URL} ` +
  `WHATSAPP=${environment.WHATSAPP_API_URL}`;

/** Signs in as staff of the demo shop, and calls an endpoint with the token. */
export function staffCall(baseUrl: string): string[] {
  const api = baseUrl + apiPrefix;
  const [login] = demoLogins.map(({ email, password }) => ({ email, password }));
  return [
    keep("TOKEN", "token", post(`${api}/admin/auth/login`, login)),
    `curl -s '${api}/admin/orders?per_page=3' -H "Authorization: Bearer $TOKEN"`,
  ];
}

const keep = (variable: string, member: string, command: string) =>
  `${variable}=$(${command} | grep -o '"${member}":"[^"]*"' | head -n 1 | cut -d '"' -f 4)`;

const post = (url: string, body: unknown, headers = ""): string => send("", url, body, headers);

/** @param method empty for POST, which curl sends by default */
function send(method: "" | "PUT", url: string, body: unknown, headers: string): string {
  const json = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  return [
    "curl -s",
    method && `-X ${method}`,
    url,
    "-H 'Content-Type: application/json'",
    headers,
    `-d '${json}'`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}
