import { expect, test } from "vitest";
import { changelog } from "#infra/generated/changelog.ts";

const first = {
  version: "1.0.0",
  date: "2026-11-22",
  commits: ["feat(cart): take a coupon", "fix(cart): round the discount"],
};

test("the changelog has a section per release, newest first, with entries by kind and scope", () => {
  const next = {
    version: null,
    date: "2026-12-01",
    commits: [
      "fix(mail): name the quote",
      "feat(orders)!: rename pieces to units",
      "feat(cart): reserve stock",
      "feat(cart): reserve stock",
      "perf: load orders lazily",
    ],
  };
  expect(changelog([next, first]).split("\n").slice(5)).toEqual([
    "## [Unreleased]",
    "",
    "### Added",
    "",
    "- **cart**: reserve stock",
    "- **orders**: (breaking) rename pieces to units",
    "",
    "### Changed",
    "",
    "- **all**: load orders lazily",
    "",
    "### Fixed",
    "",
    "- **mail**: name the quote",
    "",
    "## [1.0.0] - 2026-11-22",
    "",
    "### Added",
    "",
    "- **cart**: take a coupon",
    "",
  ]);
});

test("a breaking change of any kind is in the changelog", () => {
  const commits = ["refactor(client)!: rename the order's total", "chore!: require Node 24"];
  const text = changelog([{ version: "2.0.0", date: "2026-12-01", commits }, first]);
  expect(text).toContain("- **client**: (breaking) rename the order's total");
  expect(text).toContain("- **all**: (breaking) require Node 24");
});

test("the changelog omits commits of types that it does not list, and commits without a type", () => {
  const commits = ["docs: explain carts", "Merge branch main", "test(cart): add a case"];
  expect(changelog([{ ...first, commits }, first])).not.toMatch(/explain|Merge|add a case/);
});
