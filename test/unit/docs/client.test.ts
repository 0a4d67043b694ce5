import { expect, test } from "vitest";
import { description } from "#functions/docs/description.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { type Description, operationsOf, resolved } from "#test/support/http/description.ts";

// The packed client is checked with the service, in test/e2e/client.test.ts.
const client = import.meta.resolve("#shared/client/index.js");

interface Answer {
  readonly error?: { readonly code: string; readonly message: string };
}
interface Shop {
  GET(path: string, init?: object): Promise<Answer>;
}
interface ClientModule {
  createShopClient(options: object): Shop;
}

/** The client, with a `fetch` that records the requests and answers each with the same response. */
async function recordedClient(answer: () => Response, tokens: object = {}) {
  const { createShopClient } = (await import(client)) as ClientModule;
  const requests: Request[] = [];
  const shop = createShopClient({
    baseUrl: "http://shop.example",
    fetch: async (request: Request) => {
      requests.push(request);
      return answer();
    },
    ...tokens,
  });
  return { shop, requests };
}

test.each([
  [401, '{"message":"Unauthorized"}', "unauthenticated", "Unauthorized"],
  [429, '{"message":"Too Many Requests"}', "too_many_requests", "Too Many Requests"],
  [502, "<html>Bad gateway</html>", "unavailable", "The service answered 502."],
  [500, "", "server_error", "The service answered 500."],
  [409, '{"message":"Empty","code":"cart_empty","request_id":"1"}', "cart_empty", "Empty"],
])(
  "an error of the client has a code also where API Gateway answers %i with %s",
  async (status, body, code, message) => {
    const { shop } = await recordedClient(() => new Response(body, { status }));
    expect((await shop.GET("/api/v1/cart")).error).toMatchObject({ code, message });
  },
);

test("the client sends the tokens of cart and order to the operations that the document says take them", async () => {
  const tokens = { token: () => "t", cartToken: () => "c", orderToken: () => "o" };
  const { shop, requests } = await recordedClient(() => Response.json({ data: {} }), tokens);
  const document = JSON.parse(await description()) as Description;
  for (const { name, operation } of operationsOf(resolved(document))) {
    const [, path = ""] = name.split(" ");
    if (!path.startsWith(`${apiPrefix}/`) || path.startsWith(`${apiPrefix}/admin/`)) continue;
    const taken = new Set((operation.parameters ?? []).map((parameter) => parameter.name));
    await shop.GET(path);
    const sent = requests.at(-1)!.headers;
    for (const header of ["x-cart-token", "x-order-token"]) {
      if (taken.has(header)) expect([path, sent.has(header)]).toEqual([path, true]);
    }
    expect(sent.get("authorization")).toBe("Bearer t");
  }
  await shop.GET(`${apiPrefix}/products`);
  expect(requests.at(-1)!.headers.has("x-cart-token")).toBe(false);
});
