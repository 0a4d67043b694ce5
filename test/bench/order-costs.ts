import { plantProduct, plantSettings, tableOf } from "#test/support/shop/plant.ts";
import { aShopper, tally } from "#test/support/shop/shopping.ts";
import { type Used, startCountedStack } from "./counted-stack.ts";
import { prices } from "./prices.ts";
import type { Section } from "./report.ts";
import { supposed } from "./request-mix.ts";

const ordersAlone = 10;
const ordersAtOnce = 50;

const { million, lambdaGbSecond } = prices;

/** Each service: what is counted, and the price of one. */
const services: readonly (readonly [string, keyof Used, number])[] = [
  ["API Gateway, calls", "apiCalls", million.httpApiCalls / 1e6],
  ["Lambda, invocations", "invocations", million.lambdaCalls / 1e6],
  ["Lambda, GB-seconds", "gbSeconds", lambdaGbSecond],
  ["DynamoDB, read units", "readUnits", million.readUnits / 1e6],
  ["DynamoDB, write units", "writeUnits", million.writeUnits / 1e6],
  ["SQS, requests", "queueRequests", million.queueRequests / 1e6],
  ["S3, reads", "objectReads", million.objectReads / 1e6],
  ["S3, writes", "objectWrites", million.objectWrites / 1e6],
  ["SES, mails", "mails", million.mails / 1e6],
];

/** What a thousand orders cost on AWS, from a new cart to the last effect of the order. */
export async function orderCostsSection(): Promise<Section> {
  const { stack, used, stop } = await startCountedStack();
  try {
    const table = tableOf(stack.environment);
    await plantSettings(table);
    const { sku } = await plantProduct(table, { units: 1_000 });
    const place = async (orders: number) => {
      const checkOuts = Array.from({ length: orders }, async () => {
        const { checkOut } = await aShopper(stack.baseUrl, [{ sku, quantity: 1 }]);
        return checkOut();
      });
      const statuses = tally(await Promise.all(checkOuts));
      if (statuses["201"] !== orders) throw new Error(JSON.stringify(statuses));
    };
    await used(() => place(2));
    const alone = await used(async () => {
      for (let order = 0; order < ordersAlone; order += 1) {
        await place(1);
        await stack.settled();
      }
    });
    const atOnce = await used(() => place(ordersAtOnce));
    return section([thousandOf(alone, ordersAlone), thousandOf(atOnce, ordersAtOnce)]);
  } finally {
    await stop();
  }
}

type Counts = readonly { readonly count: number; readonly dollars: number }[];

const thousandOf = (used: Used, orders: number): Counts =>
  services.map(([, of, price]) => {
    const count = (used[of] / orders) * 1000;
    return { count, dollars: count * price };
  });

function section(kinds: readonly Counts[]): Section {
  return {
    title: "What a thousand orders cost",
    note:
      `${prices.currency}, by the prices of ${prices.region} in ${prices.as_of}. Counted on the local stack: ` +
      "`POST /cart` and `POST /checkout` for cash on delivery with all consumers. An order that comes alone is the " +
      `dearest; ${ordersAtOnce} at once share batches. Only Lambda's time is computed: ${supposed.stepMs} ms for each ` +
      `request to DynamoDB, as if none were concurrent, and ${supposed.ownMs} ms of a core for each invocation.`,
    columns: ["service", "each alone", "$", `${ordersAtOnce} at once`, "$ "],
    rows: [
      ...services.map(([name], position) => [
        name,
        ...kinds.flatMap((counts) => [
          counts[position]?.count ?? 0,
          counts[position]?.dollars ?? 0,
        ]),
      ]),
      [
        "total",
        ...kinds.flatMap((counts) => [null, counts.reduce((sum, { dollars }) => sum + dollars, 0)]),
      ],
    ],
  };
}
