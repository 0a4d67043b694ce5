import createClient from "openapi-fetch";

export function createShopClient({ token, ...options }) {
  const client = createClient({
    ...options,
    // Filters with several values are comma-separated.
    querySerializer: { array: { style: "form", explode: false } },
  });
  client.use({
    onRequest({ request }) {
      const bearer = token?.();
      if (bearer !== undefined) request.headers.set("authorization", `Bearer ${bearer}`);
    },
  });
  return client;
}
