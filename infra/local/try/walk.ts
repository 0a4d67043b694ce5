import { randomInt } from "node:crypto";
import type { StackEnvironment } from "../stack.ts";
import {
  browse,
  buyByCard,
  buyForCash,
  configureSofa,
  payInParts,
  readDocuments,
} from "./buyer.ts";
import { openCalls } from "./calls.ts";
import { sellByPhone, shipOrder } from "./staff.ts";

/**
 * Walks through the shop as a buyer and as staff. Prints each call as a `curl` command, and what matters of its answer.
 *
 * @throws Error at the first call that fails
 */
export async function walk(
  { baseUrl, environment }: { baseUrl: string; environment: StackEnvironment },
  print: (line: string) => void,
): Promise<void> {
  const variables = {
    API: `${baseUrl}/api/v1`,
    STRIPE: environment.STRIPE_API_URL,
    // Each walk comes from an IP address of its own.
    ADDRESS: `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
  };
  const calls = openCalls(variables, print);
  const { sku } = await browse(calls);
  const sofa = await configureSofa(calls);
  const order = await buyForCash(calls, sku);
  await buyByCard(calls, sku);
  await payInParts(calls, sofa);
  await readDocuments(calls);
  await shipOrder(calls, order);
  await sellByPhone(calls, sku);
  calls.title("That was the shop. /docs/api lists every endpoint.");
}
