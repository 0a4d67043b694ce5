/** How many of a thousand calls by visitors go to each route. One call in 500 places an order. */
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

/** For each call, the work that it causes in consumers: messages received, capacity units and mails. */
export const aftermath: Readonly<
  Record<string, { messages: number; readUnits: number; writeUnits: number; mails: number }>
> = {
  "POST /checkout": { messages: 6, readUnits: 18, writeUnits: 33, mails: 2 },
  "POST /checkout, gateway": { messages: 9, readUnits: 33, writeUnits: 68, mails: 2 },
  "POST /analytics/events": { messages: 1, readUnits: 2, writeUnits: 4, mails: 0 },
};

/** MB of memory at which a function gets a whole core. */
export const coreMb = 1769;

/** Assumptions that were not measured. */
export const supposed = {
  /** The latency of one storage step within a region, in ms. */
  stepMs: 6,
  /** CPU time of a function on a whole core, in ms; with less memory it has a fraction of a core. */
  ownMs: 3,
  /** The share of calls with a cold start, and its duration in ms. */
  coldStarts: 0.005,
  coldStartMs: 350,
  /** A consumer's time and memory per message, in ms and GB. */
  messageMs: 60,
  messageGb: 0.5,
  /** A queue's requests per message: send, receive, delete. */
  queueRequestsPerMessage: 3,
  /** Bytes that API Gateway and Lambda log per call. */
  logBytes: 800,
  /** X-Ray traces the first call of each second, and this share of the others. */
  tracedShare: 0.05,
  /** Lambda's empty receives from a queue per minute: five pollers that wait for 20 s each. */
  pollsPerMinute: 15,
  /** Milliseconds of a scheduled function that finds nothing to do, and the read units of its queries. */
  scheduleMs: 100,
  scheduleUnits: 4,
  /** Instances that keep public records in memory; each checks with two read units, at most every 2 s. */
  rememberingInstances: 3,
  tableGb: 5,
  /**
   * Runs a day that write the sitemaps and the product feed: two after each of 24 changes of public data. By the
   * products of the shop, each run needs read units and time on a whole core.
   */
  feedRunsPerDay: 48,
  feedProducts: 1_000,
  feedUnitsPerProduct: 3,
  feedMsPerProduct: 1,
  feedFiles: 3,
} as const;
