import { expect } from "vitest";

/**
 * Expects that a call stored a time that lies this long after the call, and allows for the call's duration.
 *
 * @param before when the call was sent
 */
export function expectAfter(at: string | undefined, before: Date, milliseconds: number): void {
  const setAt = Date.parse(at ?? "") - milliseconds;
  // Some times are stored in whole seconds.
  expect(setAt).toBeGreaterThan(before.getTime() - 1_000);
  expect(setAt).toBeLessThanOrEqual(Date.now());
}
