import { waitUntil } from "../stack/wait-until.ts";

/**
 * Waits until a cart shows a change of the catalog, which may take two seconds.
 *
 * @param expectation reads the cart, and throws while it does not show the change
 */
export const whenShown = (expectation: () => Promise<unknown>): Promise<unknown> =>
  waitUntil(expectation, { interval: 200 });
