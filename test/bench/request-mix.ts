/** Of a thousand calls of a shop window's visitors, how many go where: one order in 500 calls. */
export const requestMix: Readonly<Record<string, number>> = {
  "GET /bootstrap": 60,
  "GET /home": 60,
  "GET /products": 170,
  "GET /products, facets": 90,
  "GET /products, search": 50,
  "GET /products, revalidating": 10,
  "GET /products/{slug}": 190,
  "GET /products/{slug}/related": 70,
  "GET /sofas": 35,
  "GET /sofas/{slug}": 50,
  "GET /sofas/materials": 15,
  "POST /sofas/{slug}/price": 30,
  "GET /interiors": 10,
  "POST /cart, new": 12,
  "PATCH /cart/items": 10,
  "GET /cart": 40,
  "GET /shipping/quote": 8,
  "POST /checkout/coupon": 3,
  "POST /checkout": 1,
  "POST /checkout, gateway": 1,
  "POST /checkout/{order}/confirm, gateway": 1,
  "GET /orders/track/{number}": 4,
  "POST /analytics/events": 80,
};

/** What happens beside the calls, for each of them that is named: messages of queues, work of consumers, mails. */
export const aftermath: Readonly<
  Record<string, { messages: number; readUnits: number; writeUnits: number; mails: number }>
> = {
  "POST /checkout": { messages: 6, readUnits: 18, writeUnits: 33, mails: 2 },
  "POST /checkout, gateway": { messages: 9, readUnits: 33, writeUnits: 68, mails: 2 },
  "POST /analytics/events": { messages: 1, readUnits: 2, writeUnits: 4, mails: 0 },
};

/** What was not measured here and has to be supposed. */
export const supposed = {
  /** One step of storage inside a region, seen from a function, in ms. */
  stepMs: 6,
  /** Of a function's own work on a whole core, in ms; with less memory it has a smaller part of one. */
  ownMs: 3,
  /** Share of calls that meet a function which has to start first, and how long that takes in ms. */
  coldStarts: 0.005,
  coldStartMs: 350,
  /** Of a consumer for one message, in ms and GB. */
  messageMs: 60,
  messageGb: 0.5,
  /** A queue's requests for one message: sent, received, deleted, and empty looks. */
  queueRequestsPerMessage: 4,
  /** Written to logs by API Gateway and Lambda for one call. */
  logBytes: 800,
  /** Share of calls that X-Ray traces. */
  traced: 0.05,
  tableGb: 5,
} as const;
