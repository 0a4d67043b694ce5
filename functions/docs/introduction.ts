/** The introduction of the OpenAPI document, in Markdown. */
export const introduction = `The API of a furniture shop. **Storefront** operations serve shoppers; **Back office**
operations serve staff. Money is an integer in minor units of the \`currency\` beside it (\`4599000\` in INR is
₹45,990.00). Times are ISO 8601 with an offset. Ignore members of a response that you do not know: more may be added.
A request with an unknown member returns 422.

## Authenticate

- **Shoppers** need no token to browse, to fill a cart and to order. The first \`POST /cart\` returns a token in
  \`X-Cart-Token\`; send it back in that header. Checkout returns \`order_access_token\`; send it in
  \`X-Order-Token\` to read, pay or cancel the order. \`allowed_actions\` of an order names what its buyer may do.
- **Customers** sign in with \`POST /auth/login\`, **staff** with \`POST /admin/auth/login\`. Send \`data.token\` as
  \`Authorization: Bearer <token>\`. An invalid or expired token returns 401: sign in again.
- \`x-permission\` names the permission that a staff operation requires. Without it the call returns 403.

## Read and page

Every response has its result in \`data\`; lists also have \`meta\`. There are two kinds of lists:

- with numbered pages: send \`page\` and \`per_page\`; \`links.next\` is the path of the next page, or null;
- with cursors: send \`meta.next_cursor\` as \`cursor\` until it is null. A page may hold fewer entries than \`per_page\`.

Several values of a filter are separated by commas: \`color=grey,blue\`. Public responses have an \`ETag\`: send it in
\`If-None-Match\` to get 304 without a body if nothing has changed.

## Show a page

Each page of a storefront needs one call; goods that go with a product or sofa are a call of their own (\`…/related\`).

| Page | Call |
|---|---|
| Each visit | \`GET /bootstrap\` |
| Home | \`GET /home\` |
| List | \`GET /search?category={slug}&include=facets\` |
| Product | \`GET /products/{slug}\` |
| Sofa | \`GET /sofas/{slug}\` |
| Cart | \`GET /cart?postal_code={postal_code}&shipping_method=standard\` |
| Checkout: address | \`GET /shipping/quote?postal_code={postal_code}\` |
| Checkout: slot | \`GET /shipping/slots?postal_code={postal_code}&shipping_method={shipping_method}\` |
| Checkout: order | \`POST /checkout\` |
| Account: profile | \`GET /auth/me\` |
| Account: addresses | \`GET /addresses\` |
| Account: orders | \`GET /orders\` |
| Account: wishlist | \`GET /wishlist\` |

A change of the cart, a coupon and a slot return the cart. \`ids\` and \`slugs\` of \`GET /products\` and
\`GET /sofas\` return up to 100 cards.

## Write and retry

- Calls that create a record accept an \`Idempotency-Key\`: a random text that you choose for each new record. If a
  connection breaks, repeat the call with the same key and body. For 24 hours that returns the first result, with
  \`Idempotent-Replayed: true\`, and creates nothing. Payments, refunds and stock adjustments require the key.
- A record's \`version\` is its \`ETag\`. With \`If-Match\` a write returns 412 if the record has changed since.
  A PUT without \`If-Match\` is refused only if the record changes during the PUT.
- PUT replaces all writable members. PATCH changes only those that the body names, at every depth; null clears a member.
  Both accept a record as GET returns it; read-only members must be unchanged.
- After a 429 or 503, wait for \`Retry-After\` seconds and repeat. A 429 describes the limit in
  \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; so does every response of an operation whose
  429 names its calls and seconds.

## Handle errors

An error has a \`message\` for people and a \`code\` for programs; each code has a schema, such as
\`CartChangedProblem\`, with its \`details\`. A 422 names
each invalid member in \`errors\`. Quote \`request_id\` when you report a problem. Each operation lists its
own errors; \`default\` stands for those that any operation can return.`;
