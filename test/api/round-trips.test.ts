import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf } from "#test/support/http/client.ts";
import { type StorageCall, sequentialSteps } from "#test/support/emulators/dynamodb-calls.ts";
import { type Member, aMember, logIn, aPassword } from "#test/support/people/members.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { type ProxiedService, startProxiedService } from "#test/support/stack/table.ts";
import { type Shopper, aShopper } from "#test/support/shop/shopping.ts";
import { aStaffUser, addStaff } from "#test/support/people/staff.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { environment, table } = await useShop();

let service: ProxiedService;
beforeAll(async () => {
  service = await startProxiedService(environment, { latencyMs: 15 });
});
afterAll(() => service.stop());

const operations = (calls: readonly StorageCall[]) =>
  calls.map(({ operation }) => operation).toSorted();

describe("the session check of an authenticated GET request", () => {
  test.each<[string, readonly string[]]>([
    ["/auth/me", ["GetItem"]],
    ["/addresses", ["GetItem"]],
    ["/orders", ["Query"]],
    ["/wishlist", ["Query"]],
  ])(
    "for %s adds one strongly consistent BatchGetItem, which runs concurrently with the route's own read",
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

describe("the storage requests of a login", () => {
  const steps = async (work: (member: Member) => Promise<unknown>) => {
    const member = await aMember(service.baseUrl);
    const { calls } = await service.proxy.record(() => work(member));
    expect(calls.filter(({ consistent }) => consistent === false)).toEqual([]);
    return sequentialSteps(calls);
  };

  test("take 3 sequential steps", async () => {
    expect(await steps(({ email }) => logIn(service.baseUrl, email))).toBe(3);
  });

  test("take 3 sequential steps for staff, too", async () => {
    const user = aStaffUser();
    await table.transact(addStaff(user));
    const logInStaff = () =>
      clientOf(service.baseUrl).post("/admin/auth/login", {
        email: user.email,
        password: aPassword,
      });
    expect((await logInStaff()).status).toBe(200);
    const { result, calls } = await service.proxy.record(logInStaff);
    expect(result.status).toBe(200);
    const own = calls.filter(({ partitions }) => partitions.some((each) => each !== "SETTINGS"));
    expect(sequentialSteps(own)).toBe(3);
  });

  test("take at most 5 sequential steps if a guest's cart is merged", async () => {
    const { sku } = await plantProduct(table);
    const guest = await aShopper(service.baseUrl, [{ sku, quantity: 1 }]);
    const count = await steps(({ email }) =>
      logIn(service.baseUrl, email, undefined, guest.headers),
    );
    expect(count).toBeLessThanOrEqual(5);
  });
});

async function aBuyer(): Promise<Shopper & { sku: string }> {
  const { sku } = await plantProduct(table);
  return { sku, ...(await aShopper(service.baseUrl, [{ sku, quantity: 1 }])) };
}

async function stepsOf(work: (buyer: Shopper & { sku: string }) => Promise<unknown>) {
  const buyer = await aBuyer();
  const { calls } = await service.proxy.record(() => work(buyer));
  return { steps: sequentialSteps(calls), calls };
}

const inconsistent = (calls: readonly StorageCall[]) =>
  calls.filter(({ consistent }) => consistent === false);

describe("a buyer's request", () => {
  test.each<[string, number, (buyer: Shopper & { sku: string }) => Promise<unknown>]>([
    ["reads a cart", 2, ({ read }) => read()],
    [
      "quotes shipping",
      2,
      ({ client, headers }) => client.get("/shipping/quote?postal_code=560001", headers),
    ],
    // The steps: two steps of reads, with the increment of the rate counter beside them, then the write of the cart.
    [
      "adds a line",
      3,
      ({ client, headers, sku }) =>
        client.patch("/cart/items", { items: [{ sku, quantity: 1 }] }, headers),
    ],
    ["places an order", 4, ({ checkOut }) => checkOut()],
  ])(
    "that %s takes at most %i sequential storage steps and only strongly consistent reads",
    async (_, most, work) => {
      const { steps, calls } = await stepsOf(work);
      expect(steps).toBeLessThanOrEqual(most);
      expect(inconsistent(calls)).toEqual([]);
    },
  );
});
