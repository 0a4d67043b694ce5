import { describe, expect, test } from "vitest";
import { requireVersion } from "#shared/domain/request/app-error.ts";
import { IfMatch } from "#shared/http/if-match.ts";

const holds = (header: string, version: number): boolean => {
  try {
    requireVersion(IfMatch.parse(header), version);
    return true;
  } catch {
    return false;
  }
};

describe("the header If-Match", () => {
  test.each([
    ['"v3"', 3, true],
    ['"v3"', 4, false],
    ['W/"v3"', 3, true],
    ['W/"v3"', 4, false],
    ['"v2", W/"v3"', 3, true],
    ['"v2","v4"', 3, false],
    ['"v2",, "v3",', 3, true],
    ['"v3-gzip"', 3, true],
    ['"v3-gzip"', 4, false],
    ['"a,b", "v3"', 3, true],
    ['"abc"', 3, false],
    ['"v3x"', 3, false],
    ['""', 3, false],
    ["*", 3, true],
  ])("%s at version %i: whether the write is allowed is %s", (header, version, allowed) => {
    expect(holds(header, version)).toBe(allowed);
  });

  test.each(["v3", "3", '"v3', 'w/"v3"', '"v3" "v4"', "", '*,"v3"'])("is refused: %j", (header) => {
    expect(IfMatch.safeParse(header).success).toBe(false);
  });
});
