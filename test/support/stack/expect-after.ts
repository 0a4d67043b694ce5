import { expect } from "vitest";

/**
 * Expects a time this long after the call that set it, however long the call took.
 *
 * @param before when the call was sent
 */
export function expectAfter(at: string | undefined, before: Date, milliseconds: number): void {
  const setAt = Date.parse(at ?? "") - milliseconds;
  // Some times are in whole seconds.
  expect(setAt).toBeGreaterThan(before.getTime() - 1_000);
  expect(setAt).toBeLessThanOrEqual(Date.now());
}
