import { describe, expect, test } from "vitest";
import { sellableTimeProblems, timesAfter } from "#shared/domain/catalog/sellable-times.ts";
import { noTimes } from "#shared/domain/base/publication-schedule.ts";
import { noon } from "#test/support/shop/commerce.ts";

const inHours = (hours: number) => new Date(noon.getTime() + hours * 3_600_000).toISOString();
const [soon, later] = [inHours(1), inHours(2)];
const planned = { publish_at: soon, unpublish_at: later };
const draft = { status: "draft", ...planned } as const;
const published = { status: "published", publish_at: null, unpublish_at: later } as const;

describe("the publication times of a product or sofa", () => {
  test("are kept when an edit omits them", () => {
    expect(timesAfter(draft, "draft", {})).toEqual(planned);
    expect(timesAfter(published, "published", {})).toMatchObject({ unpublish_at: later });
  });

  test("are cleared when they can no longer take effect, because the record was published, unpublished or archived", () => {
    expect(timesAfter(draft, "published", {})).toEqual({ publish_at: null, unpublish_at: later });
    expect(timesAfter(draft, "published", planned)).toMatchObject({ publish_at: null });
    expect(timesAfter(published, "draft", {})).toEqual(noTimes);
    expect(timesAfter(published, "archived", {})).toEqual(noTimes);
    expect(timesAfter(draft, "archived", {})).toEqual(noTimes);
  });

  test("are refused if they could have no effect", () => {
    const pathsOf = (status: "draft" | "published" | "archived", sent: object) =>
      sellableTimeProblems(undefined, { status, ...timesAfter(undefined, status, sent) }, noon).map(
        ({ path }) => path,
      );
    expect(pathsOf("draft", planned)).toEqual([]);
    expect(pathsOf("published", { unpublish_at: soon })).toEqual([]);
    expect(pathsOf("published", { publish_at: soon })).toEqual(["publish_at"]);
    expect(pathsOf("archived", planned)).toEqual(["publish_at", "unpublish_at"]);
  });
});
