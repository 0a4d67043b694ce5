import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  changedActions,
  editedTimes,
  noTimes,
  publicationTimesInput,
  timeProblems,
} from "#shared/domain/base/publication-schedule.ts";
import { noon } from "#test/support/shop/commerce.ts";

const inHours = (hours: number) => new Date(noon.getTime() + hours * 3_600_000).toISOString();
const hours = fc.option(fc.integer({ min: -48, max: 48 }), { nil: null });
const times = fc.tuple(hours, hours).map(([publish, unpublish]) => ({
  publish_at: publish === null ? null : inHours(publish),
  unpublish_at: unpublish === null ? null : inHours(unpublish),
}));

describe("the publication times of a record", () => {
  test("are accepted exactly if each is in the future and publishing comes before unpublishing", () => {
    fc.assert(
      fc.property(times, (after) => {
        const { publish_at, unpublish_at } = after;
        const areFuture = [publish_at, unpublish_at].every(
          (at) => at === null || Date.parse(at) > noon.getTime(),
        );
        const areOrdered =
          publish_at === null || unpublish_at === null || publish_at < unpublish_at;
        const problems = timeProblems(undefined, after, noon);
        expect(problems.length === 0).toBe(areFuture && areOrdered);
      }),
    );
  });

  test("are accepted unchanged, even if they are in the past", () => {
    fc.assert(
      fc.property(times, (before) => {
        const after = editedTimes(before, {});
        expect(after).toEqual(before);
        expect(changedActions(before, after)).toEqual([]);
        expect(timeProblems(before, after, noon)).toEqual([]);
      }),
    );
  });

  test("can always be cleared", () => {
    fc.assert(
      fc.property(times, (before) => {
        const after = editedTimes(before, { publish_at: null, unpublish_at: null });
        expect(after).toEqual(noTimes);
        expect(timeProblems(before, after, noon)).toEqual([]);
      }),
    );
  });

  test("are stored in UTC, so that two notations of one time are equal", () => {
    const input = z.strictObject(publicationTimesInput);
    expect(input.parse({ publish_at: "2026-12-01T09:00:00+05:30" })).toEqual({
      publish_at: "2026-12-01T03:30:00.000Z",
    });
    expect(input.safeParse({ publish_at: "tomorrow" }).success).toBe(false);
  });

  test("are refused at the path of the wrong member", () => {
    const [yesterday, early, late] = [inHours(-24), inHours(1), inHours(2)];
    const pathsOf = (after: object) => timeProblems(undefined, after, noon).map(({ path }) => path);
    expect(pathsOf({ publish_at: yesterday })).toEqual(["publish_at"]);
    expect(pathsOf({ publish_at: late, unpublish_at: early })).toEqual(["unpublish_at"]);
    expect(pathsOf({ publish_at: early, unpublish_at: early })).toEqual(["unpublish_at"]);
  });
});
