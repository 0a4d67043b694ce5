interface Limit {
  readonly calls: number;
  /** The window, in seconds. */
  readonly seconds: number;
  /** Only failed requests are counted: a successful one is removed from the count. */
  readonly counts?: "failures";
  /** Callers by IPv6 are also counted by the networks around them, of which one subscriber may have a whole one. */
  readonly networks?: true;
}

/**
 * Every rate limit of the service: requests per window. Limits that routes declare count requests by the caller's IP
 * address. Limits per account, or per account and IP address, are counted by handlers. API Gateway's stage throttling
 * covers all other routes.
 */
export const limits = {
  coupon: { calls: 10, seconds: 60, networks: true },
  tracking: { calls: 10, seconds: 60 },
  checkout: { calls: 20, seconds: 60 },
  /** Writes to carts. */
  cart: { calls: 60, seconds: 60 },
  /** Requests that confirm or pay an order, counted together. */
  payment: { calls: 20, seconds: 60 },
  /** Changes of orders by their buyers, other than payments. */
  order_change: { calls: 20, seconds: 60 },
  register: { calls: 5, seconds: 60 },
  login: { calls: 5, seconds: 60, counts: "failures", networks: true },
  forgot_password: { calls: 5, seconds: 60 },
  reset_password: { calls: 5, seconds: 60 },
  verify_email: { calls: 5, seconds: 60 },
  settings_test: { calls: 5, seconds: 60 },
  leads: { calls: 5, seconds: 600, networks: true },
  quotes: { calls: 5, seconds: 600, networks: true },
  newsletter: { calls: 5, seconds: 600, networks: true },
  notify: { calls: 5, seconds: 600, networks: true },
  quote_answer: { calls: 20, seconds: 60 },
  fabric_upload: { calls: 10, seconds: 3_600, networks: true },
  analytics: { calls: 60, seconds: 60 },
  /** Searches with the same words from one caller, and items viewed from them, that metrics count. */
  search_query: { calls: 20, seconds: 86_400 },
  documents: { calls: 30, seconds: 60 },
  fit: { calls: 120, seconds: 60 },
  /** Requests for the delivery slots of a cart or an order, counted together. */
  slots: { calls: 120, seconds: 60 },
  /** Open orders placed from a network; the setting `checkout.max_open_orders_per_ip` is the limit of one caller. */
  open_orders: { calls: 10, seconds: 86_400, networks: true },
  /** Delivery slots held from a network, while one hold lasts. */
  slot_holds: { calls: 3, seconds: 900, networks: true },
  /** Failed logins to one account from one address. Both limits are counted in the row of the hour. */
  login_pair: { calls: 5, seconds: 60, counts: "failures" },
  login_pair_hour: { calls: 20, seconds: 3_600, counts: "failures" },
  /** Failed logins to one account from all addresses. Beyond this limit, only the account's known addresses may try. */
  login_account: { calls: 100, seconds: 3_600, counts: "failures" },
  /** Wrong passwords when a signed-in caller has to confirm the current password. */
  account_password: { calls: 20, seconds: 3_600, counts: "failures" },
  account_forgot: { calls: 3, seconds: 3_600 },
  account_verification: { calls: 3, seconds: 3_600 },
  /** Letters to an address that answer leads, requests for quotes and for alerts, in a day of the store. */
  acknowledgements: { calls: 3, seconds: 86_400 },
  /** Letters to an address about orders on which nothing was paid, in a day of the store. */
  unpaid_order_letters: { calls: 10, seconds: 86_400 },
  /** Codes that prove a phone, per account and per phone. */
  account_phone_proof: { calls: 5, seconds: 900 },
  phone_proof: { calls: 6, seconds: 900 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;

/** A caller's counter in one window of a limit. */
export interface Counter {
  readonly limit: LimitName;
  readonly caller: string;
  readonly window: number;
  readonly seconds: number;
}

/** A counter and that of a shorter window within it, both in one row. */
export interface NestedCounter extends Counter {
  readonly inner: Pick<Counter, "limit" | "window">;
}

/** Counts requests. Implementations fail open: if they cannot count, they return 1. */
export interface RateCounters {
  /** Adds `by` (default 1) to the caller's counter of this window and returns the new value. */
  increment(counter: Counter & { readonly by?: number }): Promise<number>;
}

/** Counters that also count in two windows at once. */
export interface NestedRateCounters extends RateCounters {
  /** Adds `by` (default 1) to the counters of both windows in one request, and returns their new values. */
  incrementBoth(
    counter: NestedCounter & { readonly by?: number },
  ): Promise<{ readonly outer: number; readonly inner: number }>;
}
