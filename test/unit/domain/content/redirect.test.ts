import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Redirect,
  flattenRedirects,
  publicRedirects,
  redirectId,
  redirectsAfterMove,
  withRedirect,
  withoutRedirectFrom,
  withoutRedirectsTo,
} from "#shared/domain/content/redirect.ts";

const hop = (from: string, to: string, status: Redirect["status"] = 301): Redirect => ({
  from,
  to,
  status,
});
const flatten = (...redirects: Redirect[]) => flattenRedirects(redirects, ["shop.example.com"]);
const pathsOf = (...redirects: Redirect[]) => {
  const result = flatten(...redirects);
  return result.ok ? [] : result.problems.map(({ path }) => path);
};

describe("a redirect's target", () => {
  test.each([
    "//evil.example",
    "/\\evil.example",
    "http://shop.example.com/",
    "javascript:alert(1)",
    "https://shop.example.com@evil.example/",
    "https://user:pass@shop.example.com/",
    "https://SHOP.example.com\\evil",
    "/a b",
    "/a\nb",
    "sofas",
    "",
  ])("cannot be %j", (to) => {
    expect(Redirect.safeParse(hop("/old", to)).success).toBe(false);
  });

  test.each(["/", "/sofas/oslo?tab=care#top", "https://shop.example.com/x"])("can be %j", (to) => {
    expect(Redirect.safeParse(hop("/old", to)).success).toBe(true);
  });

  test("is refused on a host that the settings do not allow", () => {
    expect(
      pathsOf(hop("/a", "https://evil.example/"), hop("/b", "https://shop.example.com/")),
    ).toEqual(["redirects.0.to"]);
    expect(pathsOf(hop("/a", "https://shop.example.com.evil.example/"))).toEqual([
      "redirects.0.to",
    ]);
  });
});

describe("redirect chains", () => {
  test("are flattened to one hop", () => {
    expect(flatten(hop("/a", "/b"), hop("/b", "/c"), hop("/c", "/d"))).toEqual({
      ok: true,
      redirects: [hop("/a", "/d"), hop("/b", "/d"), hop("/c", "/d")],
    });
  });

  test("are temporary if one of their hops is temporary", () => {
    expect(flatten(hop("/a", "/b", 308), hop("/b", "/c", 302))).toMatchObject({
      redirects: [{ from: "/a", to: "/c", status: 302 }, { from: "/b" }],
    });
  });

  test.each([
    ["itself", [hop("/a", "/a")], ["redirects.0.to"]],
    ["itself in upper case with a trailing slash", [hop("/a", "/A/")], ["redirects.0.to"]],
    [
      "another redirect that leads back",
      [hop("/a", "/b"), hop("/b", "/a")],
      ["redirects.0.to", "redirects.1.to"],
    ],
    [
      "a loop of other redirects",
      [hop("/x", "/a"), hop("/a", "/b"), hop("/b", "/a")],
      ["redirects.0.to", "redirects.1.to", "redirects.2.to"],
    ],
  ])("are refused if a redirect leads to %s", (_what, redirects, paths) => {
    expect(pathsOf(...redirects)).toEqual(paths);
  });

  test("are refused if two of their redirects have the same source path", () => {
    expect(pathsOf(hop("/a", "/b"), hop("/a/", "/c"))).toEqual(["redirects.0.from"]);
  });

  test("are flattened to one hop or refused, for any set of redirects", () => {
    const addresses = fc.constantFrom("/a", "/b", "/c", "/d", "/e", "/f");
    const maps = fc.uniqueArray(fc.tuple(addresses, addresses), { selector: ([from]) => from });
    fc.assert(
      fc.property(maps, (pairs) => {
        const result = flatten(...pairs.map(([from, to]) => hop(from, to)));
        // Following as many hops as there are redirects ends at a page, unless the redirects form a loop.
        const ends = pairs.map(([from]) =>
          pairs.reduce((at) => new Map(pairs).get(at) ?? at, from),
        );
        expect(result.ok).toBe(ends.every((end) => !new Map(pairs).has(end)));
        if (!result.ok) return;
        const starts = new Set(result.redirects.map(({ from }) => from));
        for (const { to } of result.redirects) expect(starts.has(to)).toBe(false);
      }),
    );
  });
});

describe("changing the path of a page", () => {
  const move = (map: Redirect[], from: string, to: string) => redirectsAfterMove(map, from, to);
  const seen = (map: Redirect[]) => publicRedirects(map);

  test("redirects the old path, and the redirects to it, to the new path", () => {
    const map = [hop("/a", "/b"), hop("/x", "https://shop.example.com/")];
    expect(seen(move(map, "/b", "/c"))).toEqual([
      hop("/a", "/c"),
      hop("/x", "https://shop.example.com/"),
      hop("/b", "/c"),
    ]);
  });

  test("leaves one hop from each old path to the current path and no redirect from the current path, after any sequence of changes", () => {
    const address = fc.constantFrom("/a", "/b", "/c", "/d");
    fc.assert(
      fc.property(fc.array(address, { minLength: 1, maxLength: 12 }), (stations) => {
        let map: Redirect[] = [];
        let here = "/a";
        const been = new Set<string>();
        for (const next of stations) {
          if (next === here) continue;
          map = move(map, here, next);
          been.add(here);
          here = next;
        }
        been.delete(here);
        expect(new Map(seen(map).map(({ from, to }) => [from, to]))).toEqual(
          new Map([...been].map((from) => [from, here])),
        );
      }),
    );
  });

  test("makes older redirects lead to the new path; they are kept when another record takes the previous path", () => {
    const map = move([hop("/first", "/second")], "/second", "/third");
    expect(seen(withoutRedirectFrom(map, "/second"))).toEqual([hop("/first", "/third")]);
  });

  test("drops the oldest redirects above the limit", () => {
    const full = Array.from({ length: 2_000 }, (_, number) => hop(`/old/${number}`, "/new"));
    const after = move(full, "/this", "/that");
    expect(after).toHaveLength(2_000);
    expect([after[0]?.from, after.at(-1)]).toEqual(["/old/1", hop("/this", "/that")]);
  });
});

describe("adding a redirect", () => {
  const add = (added: Redirect, ...map: Redirect[]) => withRedirect(map, added, ["ok.example"]);

  test("keeps the other redirects as they were saved", () => {
    expect(add(hop("/b", "/c"), hop("/a", "/b"))).toEqual({
      ok: true,
      redirects: [hop("/a", "/b"), hop("/b", "/c")],
    });
  });

  test.each<[string, Redirect, Redirect[], string, boolean]>([
    ["to itself", hop("/a", "/A/"), [], "to", false],
    ["that closes a loop", hop("/c", "/a"), [hop("/a", "/c")], "to", false],
    ["to a host that is not allowed", hop("/a", "https://evil.example/"), [], "to", false],
    ["from a path that has a redirect", hop("/a/", "/c"), [hop("/A", "/b")], "from", true],
  ])("%s is refused at the path of the error", (_what, added, map, path, exists) => {
    expect(add(added, ...map)).toEqual({
      ok: false,
      exists,
      problems: [{ path, message: expect.any(String) }],
    });
  });

  test("keeps redirects to hosts that are no longer allowed, but refuses new ones", () => {
    const old = hop("/old", "https://once.example/");
    expect(add(hop("/a", "https://ok.example/"), old)).toMatchObject({ ok: true });
    expect(add(hop("/a", "https://once.example/"), old)).toMatchObject({ ok: false });
  });
});

describe("deleting the target of redirects", () => {
  test("deletes every redirect to it, directly or through a chain", () => {
    const kept = [hop("/other", "/elsewhere"), hop("/out", "https://shop.example.com/gone")];
    const map = [hop("/a", "/b"), hop("/b", "/Gone/"), hop("/c", "/gone?tab=care"), ...kept];
    expect(withoutRedirectsTo(map, "/gone")).toEqual(kept);
  });

  test("keeps all redirects that lead elsewhere", () => {
    const address = fc.constantFrom("/a", "/b", "/c", "/d", "/e");
    const maps = fc.uniqueArray(fc.tuple(address, address), { selector: ([from]) => from });
    fc.assert(
      fc.property(maps, address, (pairs, gone) => {
        const map = pairs.map(([from, to]) => hop(from, to));
        if (!flattenRedirects(map, []).ok) return;
        const elsewhere = publicRedirects(map).filter(({ to }) => to !== gone);
        expect(publicRedirects(withoutRedirectsTo(map, gone))).toEqual(elsewhere);
      }),
    );
  });
});

test("a redirect's id is derived from its source path", () => {
  expect(redirectId("/a")).toMatch(/^rdr_[\w-]{22}$/);
  expect(redirectId("/a")).not.toBe(redirectId("/b"));
});

test.each(["https://256.256.256.256/", "https://shop.example.com:99999/"])(
  "the redirect target %s is refused because it is no valid URL",
  (to) => {
    expect(Redirect.safeParse(hop("/old", to)).success).toBe(false);
  },
);
