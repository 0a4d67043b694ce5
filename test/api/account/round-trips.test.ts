import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type StorageCall, sequentialSteps } from "#test/support/dynamodb-calls.ts";
import { type Member, aMember, logIn } from "#test/support/members.ts";
import { plantProduct, tableOf } from "#test/support/plant.ts";
import { type ProxiedService, startProxiedService } from "#test/support/proxied-service.ts";
import { aPerson, aShopper } from "#test/support/shopping.ts";

const table = tableOf(inject("environment"));
let service: ProxiedService;
beforeAll(async () => {
  service = await startProxiedService(inject("environment"), { latencyMs: 15 });
});
afterAll(() => service.stop());

const operations = (calls: readonly StorageCall[]) =>
  calls.map(({ operation }) => operation).toSorted();

describe("a guarded read", () => {
  test.each<[string, readonly string[]]>([
    ["/auth/me", ["GetItem"]],
    ["/addresses", ["GetItem"]],
    ["/orders", ["Query"]],
    ["/wishlist", ["Query"]],
  ])(
    "of %s costs one BatchGetItem more than itself, beside it, strongly consistent",
    async (path, own) => {
      const member = await aMember(service.baseUrl);
      const { result, calls } = await service.proxy.record(() =>
        member.client.get(path, member.headers),
      );
      expect(result.status).toBe(200);
      expect(operations(calls)).toEqual(["BatchGetItem", ...own]);
      expect(sequentialSteps(calls)).toBe(1);
      expect(calls.map(({ consistent }) => consistent)).toEqual([true, true]);
      const guard = calls.find(({ operation }) => operation === "BatchGetItem");
      expect(guard?.partitions).toEqual([`CUSTOMER#${member.id}`, `CUSTOMER#${member.id}`]);
    },
  );
});

test("login does the same work for an unknown email as for a wrong password", async () => {
  const { email } = await aMember(service.baseUrl);
  const work = async (address: string) => {
    const { calls } = await service.proxy.record(() => logIn(service.baseUrl, address, "wrong"));
    return [sequentialSteps(calls), operations(calls)];
  };
  expect(await work(aPerson().email)).toEqual(await work(email));
});

describe("waits for storage", () => {
  const steps = async (work: (member: Member) => Promise<unknown>) => {
    const member = await aMember(service.baseUrl);
    const { calls } = await service.proxy.record(() => work(member));
    expect(calls.filter(({ consistent }) => consistent === false)).toEqual([]);
    return sequentialSteps(calls);
  };

  test("to log in 5 times: email, customer, the account's failures, the session, the address's failures", async () => {
    expect(await steps(({ email }) => logIn(service.baseUrl, email))).toBeLessThanOrEqual(5);
  });

  test("to log in with a cart 7 times: the carts and what is in them come to it", async () => {
    const { sku } = await plantProduct(table);
    const guest = await aShopper(service.baseUrl, [{ sku, quantity: 1 }]);
    const count = await steps(({ email }) =>
      logIn(service.baseUrl, email, undefined, guest.headers),
    );
    expect(count).toBeLessThanOrEqual(7);
  });
});
