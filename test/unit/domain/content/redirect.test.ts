import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Redirect,
  flattenRedirects,
  publicRedirects,
  redirectId,
  redirectsAfterMove,
  redirectsAfterNewPaths,
  targetOnSite,
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
    "data:text/html,x",
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

/** Ways to write one address, all of which a browser sends alike. */
const sameAddress: readonly (readonly [string, string])[] = [
  ["/caf%C3%A9", "/café"],
  ["/caf%c3%a9", "/cafe\u0301"],
  ["/%72-self", "/r-self"],
  ["/R-Self/", "/r-self#top"],
  ["/a/./b/../r", "/a/r"],
  ["/a/%2e%2e/r", "/r"],
  ["/find?q=caf%C3%A9&page=1", "/find?q=café&page=1"],
  ["/%E0%A4%A6", "/द"],
  ["/r-self?", "/r-self"],
];
const otherAddress: readonly (readonly [string, string])[] = [
  ["/a%2Fb", "/a/b"],
  ["/a?q=1%262", "/a?q=1&2"],
  ["/caf%E9", "/café"],
  ["/a?b", "/a%3Fb"],
];

describe("two spellings of an address", () => {
  test.each(sameAddress)("%s and %s are one", (one, other) => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      expect(pathsOf(hop(from, to))).toEqual(["redirects.0.to"]);
      expect(withRedirect([hop("/x", from)], hop(to, "/x"), [])).toMatchObject({ ok: false });
      expect(withRedirect([hop(from, "/x")], hop(to, "/y"), [])).toMatchObject({ exists: true });
      expect(withoutRedirectFrom([hop(from, "/x")], to)).toEqual([]);
      expect(flatten(hop("/start", to), hop(from, "/end"))).toMatchObject({
        redirects: [{ from: "/start", to: "/end" }, {}],
      });
    }
  });

  test.each(otherAddress)("%s and %s are two", (from, to) => {
    expect(flatten(hop(from, to)).ok).toBe(true);
  });

  test("on the storefront's own host is a path of the site, but never one that leaves it", () => {
    const site = "https://shop.example.com";
    expect(targetOnSite("https://shop.example.com/a?b#c", site)).toBe("/a?b#c");
    for (const target of [
      "https://blog.example.com/a",
      "https://shop.example.com:444/a",
      "https://shop.example.com//evil.example",
      "/a",
    ]) {
      expect(targetOnSite(target, site)).toBe(target);
    }
    expect(targetOnSite("https://shop.example.com/a", `${site}/in`)).toBe(`${site}/a`);
  });

  test("is told from others in a long chain without delay", () => {
    const chain = Array.from({ length: 2_000 }, (_, at) => hop(`/step-${at}`, `/%73tep-${at + 1}`));
    expect(publicRedirects(chain).every(({ to }) => to === "/%73tep-2000")).toBe(true);
  });
});

describe("the redirect map after new paths of pages", () => {
  const paths = {
    page: "/pages/{slug}",
    product: "/products/{slug}",
    sofa: "/sofas/{slug}",
    story: "/stories/{slug}",
    category: "/categories/{slug}",
  };

  test("leads to the new addresses, and keeps all others", () => {
    const redirects = [
      hop("/old", "/products/oslo?tab=care#top"),
      hop("/coded", "/produc%74s/oslo"),
      hop("/p/oslo", "/products/oslo", 302),
      hop("/home", "/"),
      hop("/all", "/products?category=chairs"),
      hop("/story", "/stories/deco"),
      hop("/blog", "https://blog.example.com/products/oslo"),
    ];
    const after = { ...paths, product: "/p/{slug}" };
    expect(redirectsAfterNewPaths(redirects, paths, after)).toEqual([
      hop("/old", "/p/oslo?tab=care#top"),
      hop("/coded", "/p/oslo"),
      ...redirects.slice(3),
      hop("/products/{slug}", "/p/{slug}"),
    ]);
  });

  test("leads each earlier slug of a product on to its present one", () => {
    const renamed = [
      hop("/products/one", "/products/two"),
      hop("/products/two", "/products/three", 302),
    ];
    expect(redirectsAfterNewPaths(renamed, paths, { ...paths, product: "/p/{slug}" })).toEqual([
      hop("/products/one", "/p/three", 302),
      hop("/products/two", "/p/three", 302),
      hop("/products/{slug}", "/p/{slug}"),
    ]);
  });

  test("leads from every old address to the new one, in one hop after several moves, and back again", () => {
    const [first, second] = [
      { ...paths, product: "/p/{slug}" },
      { ...paths, product: "/shop/{slug}" },
    ];
    const once = redirectsAfterNewPaths([], paths, first);
    const twice = redirectsAfterNewPaths(once, first, second);
    expect(twice).toEqual([
      hop("/products/{slug}", "/shop/{slug}"),
      hop("/p/{slug}", "/shop/{slug}"),
    ]);
    expect(redirectsAfterNewPaths(twice, second, paths)).toEqual([
      hop("/p/{slug}", "/products/{slug}"),
      hop("/shop/{slug}", "/products/{slug}"),
    ]);
  });

  test.each([
    ["another kind of page has", { product: "/p/{slug}", sofa: "/products/{slug}" }],
    ["the new addresses match", { product: "/products/x-{slug}" }],
  ])("does not lead from an old path that %s", (_, change) => {
    const moved = redirectsAfterNewPaths([], paths, { ...paths, ...change });
    expect(moved.map(({ from }) => from)).not.toContain("/products/{slug}");
  });

  test("does not lead from a path that pages such as the cart match", () => {
    const atRoot = { ...paths, page: "/{slug}" };
    expect(redirectsAfterNewPaths([], atRoot, paths)).toEqual([]);
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
