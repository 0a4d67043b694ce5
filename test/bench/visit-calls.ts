import type { ProxiedService } from "#test/support/stack/table.ts";
import type { Send, Target, Visit } from "./scenarios.ts";
import type { BareCall } from "./sdk-process.ts";
import { isRepeatedRead } from "./storage-costs.ts";

/**
 * The calls to DynamoDB of one visit when all functions are warm. Reads that they repeat every two seconds are left
 * out.
 */
export async function callsOfVisit(
  { baseUrl, proxy }: ProxiedService,
  visit: Visit,
  target: Target,
): Promise<BareCall[]> {
  await visit(sendTo(baseUrl), target);
  const { calls } = await proxy.record(() => visit(sendTo(baseUrl), target));
  return calls
    .filter(({ partitions }) => !partitions.every((each) => isRepeatedRead(each)))
    .map(({ operation, partitions, readUnits, consistent }) => ({
      operation,
      items: partitions.length,
      kilobytes: readUnits * (consistent ? 4 : 8),
    }));
}

export const sendTo =
  (baseUrl: string): Send =>
  async ({ method, path, headers, body }) => {
    const answer = await fetch(baseUrl + path, {
      method,
      ...(headers && { headers }),
      ...(body && { body }),
    });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    };
  };
