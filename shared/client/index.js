import createClient from "openapi-fetch";

/** The operations that read these headers, by the beginning of their paths. */
const readers = {
  "x-cart-token": /^\/api\/v1\/(?:cart|shipping|checkout|orders\/\{id\}|auth\/(?:login|register)$)/,
  "x-order-token": /^\/api\/v1\/(?:checkout\/\{order\}|orders\/\{id\})/,
};

/** The codes of errors that API Gateway or a proxy answers. */
const codes = {
  400: "malformed_json",
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  413: "payload_too_large",
  415: "unsupported_media_type",
  429: "too_many_requests",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

export function createShopClient({ token, cartToken, orderToken, ...options }) {
  const client = createClient({
    ...options,
    // Filters with several values are comma-separated.
    querySerializer: { array: { style: "form", explode: false } },
  });
  const tokens = { "x-cart-token": cartToken, "x-order-token": orderToken };
  client.use({
    onRequest({ request, schemaPath }) {
      const bearer = token?.();
      if (bearer !== undefined) request.headers.set("authorization", `Bearer ${bearer}`);
      for (const [name, read] of Object.entries(tokens)) {
        const value = readers[name].test(schemaPath) ? read?.() : undefined;
        if (value !== undefined && !request.headers.has(name)) request.headers.set(name, value);
      }
    },
    onResponse: ({ response }) => (response.status < 400 ? undefined : withCode(response)),
  });
  return client;
}

/** The response of an error, with a code made of its status if it has none. */
async function withCode(response) {
  const { status, statusText, headers } = response;
  const problem = problemIn(await response.clone().text());
  if (typeof problem.code === "string") return undefined;
  const body = {
    message: problem.message ?? (statusText || `The service answered ${status}.`),
    code: codes[status] ?? (status < 500 ? "validation_failed" : "server_error"),
    request_id: headers.get("x-request-id") ?? headers.get("apigw-requestid") ?? "",
  };
  return Response.json(
    { ...body, ...(body.code === "validation_failed" && { errors: {} }) },
    { status, statusText, headers: { "x-request-id": body.request_id } },
  );
}

function problemIn(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
