/** The introduction of the OpenAPI document, in Markdown. */
export const introduction = `The API of a furniture shop. **Storefront** operations serve shoppers; **Back office**
operations serve staff. Money is an integer in minor units of the \`currency\` beside it (\`4599000\` in INR is
₹45,990.00). Times are ISO 8601 with an offset. Answers may get further members: ignore those that you do not know.
Requests may not: an unknown member is a 422.

## Authenticate

- **Shoppers** need no token to browse, to fill a cart and to order. The first \`POST /cart\` returns a token in
  \`X-Cart-Token\`; send it back in that header. An order answers with \`order_access_token\`, which proves in
  \`X-Order-Token\` that it is yours.
- **Customers** sign in with \`POST /auth/login\`, **staff** with \`POST /admin/auth/login\`. Send \`data.token\` as
  \`Authorization: Bearer <token>\`. A token that no longer works is a 401: sign in again.
- \`x-permission\` names the permission that a staff operation requires. Without it the call is a 403.

## Read and page

Every answer has its result in \`data\`; lists have \`meta\`. There are two kinds of lists:

- with numbered pages: send \`page\` and \`per_page\`; \`links.next\` is the path of the next page, or null;
- with cursors: send \`meta.next_cursor\` as \`cursor\` until it is null. A page may hold fewer entries than \`per_page\`.

Filters with several values take them comma-separated: \`color=grey,blue\`. Public answers have an \`ETag\`; with
\`If-None-Match\` an unchanged one is a 304 without a body.

## Write and retry

- Creations take an \`Idempotency-Key\`: a random text that you choose for each new record. If a connection breaks, repeat
  the call with the same key and body. For 24 hours that returns the first result, with \`Idempotent-Replayed: true\`,
  and creates nothing. Payments and refunds require the key.
- A record's \`version\` is its \`ETag\`. With \`If-Match\` a write is refused with 412 if the record has changed since.
  A PUT without it is refused only if the record changes while it runs.
- PUT replaces all writable members. PATCH changes those that it names, at every depth; null clears a member. Both accept
  the members that a GET returns; those that cannot be written must be unchanged.
- After a 429 or 503, wait for \`Retry-After\` seconds and repeat. 429s also say how much is left in
  \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`.

## Handle errors

An error has a \`message\` for people and a \`code\` for programs; the schema \`ErrorCode\` lists all codes. A 422 names
each invalid member in \`errors\`. Quote \`request_id\` when you report a problem. Each operation lists the errors
of its own; \`default\` stands for those that any operation can answer.`;
