import { beforeAll, describe, expect, test } from "vitest";
import type { Cart } from "#shared/domain/cart/cart.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { clientOf } from "#test/support/http/client.ts";
import {
  type Described,
  type Description,
  type JsonSchema,
  jsonBodyOf,
  operationsOf,
  readDescription,
} from "#test/support/http/description.ts";
import { aMember } from "#test/support/people/members.ts";
import { type Data, aPerson } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, staffAs } = await useShop();

const client = clientOf(baseUrl);

let description: Description;
let operations: ReadonlyMap<string, Described["operation"]>;
beforeAll(async () => {
  description = await readDescription(baseUrl);
  operations = new Map(operationsOf(description).map(({ name, operation }) => [name, operation]));
});

const operationOf = (name: string): Described["operation"] => {
  const [method, path] = name.split(" ");
  const operation = operations.get(`${method} ${apiPrefix}${path}`);
  if (!operation) throw new Error(`There is no ${name}`);
  return operation;
};
const shown = ({ example, examples }: JsonSchema): unknown => example ?? examples?.[0];
/** The schema merged with the component that it refers to. */
const whole = ({ $ref = "", ...schema }: JsonSchema): JsonSchema => ({
  ...description.components.schemas[$ref.split("/").at(-1) ?? ""],
  ...schema,
});

/** The example body that the API explorer shows for an operation. */
const bodyOf = (name: string): Record<string, unknown> => {
  const example = shown(jsonBodyOf(operationOf(name)) ?? {});
  if (typeof example !== "object" || example === null) throw new Error(`${name} has no example`);
  return { ...example };
};

const parametersOf = (name: string): [string, string][] =>
  (operationOf(name).parameters ?? []).flatMap((parameter) => {
    const example = shown(whole(parameter.schema));
    const text = Array.isArray(example) ? example.join(",") : example;
    return typeof text === "string" && parameter.in !== "header"
      ? [[parameter.name, text] as [string, string]]
      : [];
  });

/** The route's path with its example parameters. */
const addressOf = (name: string): string => {
  const values = new Map(parametersOf(name));
  const path = name.split(" ")[1] ?? "";
  return path.replaceAll(/\{(\w+)\}/g, (_, variable: string) => values.get(variable) ?? "");
};

describe("with the data of the demo shop", () => {
  test.each(["GET /products", "GET /sofas", "GET /sofas/materials"])(
    "each documented filter example of %s returns results",
    async (name) => {
      const parameters = parametersOf(name);
      expect(parameters.length).toBeGreaterThan(0);
      for (const [parameter, value] of parameters) {
        const query = new URLSearchParams({ [parameter]: value, per_page: "1" });
        const { body } = await client.get<{ meta: { total: number } }>(
          `${addressOf(name)}?${query.toString()}`,
        );
        expect([parameter, value, body.meta.total > 0]).toEqual([parameter, value, true]);
      }
    },
  );

  test.each(["GET /products/{slug}", "GET /products/{slug}/related", "GET /sofas/{slug}"])(
    "the documented example of %s returns a success",
    async (name) => {
      expect((await client.get(addressOf(name))).status).toBe(200);
    },
  );

  test("the documented sofa configuration is valid", async () => {
    const name = "POST /sofas/{slug}/price";
    const { body } = await client.post<Data<{ valid: boolean }>>(addressOf(name), bodyOf(name));
    expect(body.data.valid).toBe(true);
  });

  test("the items in the documented shipping quote can be delivered", async () => {
    const query = new URLSearchParams(parametersOf("GET /shipping/quote"));
    const { body } = await client.get<Data<{ serviceable: boolean }>>(
      `/shipping/quote?${query.toString()}`,
    );
    expect(body.data.serviceable).toBe(true);
  });

  test("the documented cart can be filled, changed and ordered at the documented total", async () => {
    const fill = await client.post<Data<Cart>>("/cart", bodyOf("POST /cart"));
    expect([fill.status, fill.text]).toEqual([201, expect.any(String)]);
    const { token = "", items } = fill.body.data;
    const headers = { "x-cart-token": token };
    const coupon = bodyOf("POST /checkout/coupon");
    const tried = await client.post<Data<{ valid: boolean }>>("/checkout/coupon", coupon, headers);
    expect(tried.body.data.valid).toBe(true);
    const checkout = { ...bodyOf("POST /checkout"), ...aPerson() };
    const bought = await client.post("/checkout", checkout, headers);
    expect([bought.status, bought.text]).toEqual([201, expect.any(String)]);

    // The line id in the example is replaced by the id of a line in the caller's cart.
    const other = await client.post<Data<Cart>>("/cart", bodyOf("POST /cart"));
    const [line] = other.body.data.items;
    const { items: changes } = bodyOf("PATCH /cart/items") as { items: object[] };
    const change = {
      items: changes.map((item) => ("id" in item ? { ...item, id: line?.id } : item)),
    };
    const changed = await client.patch<Data<Cart>>("/cart/items", change, {
      "x-cart-token": other.body.data.token ?? "",
    });
    expect([changed.status, changed.body.data.items.length]).toEqual([200, items.length + 1]);
  });

  test.each(["POST /wishlist", "POST /leads", "POST /quotes"])(
    "%s accepts its documented example",
    async (name) => {
      const member = await aMember(baseUrl);
      const reply = await member.client.post(addressOf(name), bodyOf(name), member.headers);
      expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
    },
  );

  test.each(["products", "sofas", "materials", "categories"])(
    "staff can create, replace, change and delete a record with the documented examples of %s",
    async (noun) => {
      const staff = await staffAs("owner");
      const path = `/admin/${noun}`;
      const one = `${path}/{id}`;
      const added = await staff.post<Data<{ id: string }>>(path, bodyOf(`POST ${path}`));
      expect([added.status, added.text]).toEqual([201, expect.any(String)]);
      const own = `${path}/${added.body.data.id}`;
      const again = await staff.put(own, bodyOf(`PUT ${one}`));
      const changed = await staff.patch(own, bodyOf(`PATCH ${one}`));
      const deleted = await staff.delete(own);
      const replies = [again, changed, deleted];
      expect(replies.map(({ status, text }) => [status, text])).toEqual([
        [200, expect.any(String)],
        [200, expect.any(String)],
        [204, ""],
      ]);
    },
  );
});
