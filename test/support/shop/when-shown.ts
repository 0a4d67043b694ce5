import { vi } from "vitest";

/**
 * Waits until a cart shows a change of the catalog, which may take two seconds.
 *
 * @param expectation reads the cart, and throws while it does not show the change
 */
export const whenShown = (expectation: () => Promise<unknown>): Promise<unknown> =>
  vi.waitFor(expectation, { interval: 200, timeout: 20_000 });
