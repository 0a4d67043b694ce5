import { expect, test } from "vitest";
import { type FeedFiles, needsWriting } from "#shared/domain/seo/feed-files.ts";
import { noon } from "#test/support/shop/commerce.ts";

const written = (overrides: Partial<FeedFiles> = {}): FeedFiles => ({
  files: [],
  state: "7 3",
  is_settled: true,
  written_at: noon.toISOString(),
  without_picture: 0,
  ...overrides,
});
const hours = (count: number) => new Date(noon.getTime() + count * 3_600_000);

test("feed files are written at the first run, after each change, and once more at the run after that", () => {
  expect(needsWriting(undefined, "7 3", noon)).toBe(true);
  expect(needsWriting(written(), "8 3", hours(1))).toBe(true);
  expect(needsWriting(written(), "7 4", hours(1))).toBe(true);
  expect(needsWriting(written({ is_settled: false }), "7 3", hours(1))).toBe(true);
});

test("feed files are not written while nothing changes, except once a day", () => {
  expect(needsWriting(written(), "7 3", hours(23.9))).toBe(false);
  expect(needsWriting(written(), "7 3", hours(24))).toBe(true);
});
