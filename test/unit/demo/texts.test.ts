import { describe, expect, test } from "vitest";
import { demoShop } from "#infra/local/demo/demo-shop.ts";
import { demoInbox } from "#infra/local/demo/inbox.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const shop = await demoShop(now);
const { home, faqs, pages, announcement, sofaLanding, stories, menus, settings } = shop;

/** Every text of a value, without its tags. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value.replaceAll(/<[^>]+>/g, " ")];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
const inbox = demoInbox(now).map((write) => JSON.stringify(write));
const texts = textsIn([home, faqs, pages, announcement, sofaLanding, stories, inbox]);
const all = texts.join("\n");
const answerTo = (question: string) => {
  const item = faqs.groups.flatMap(({ items }) => items).find((each) => each.question === question);
  if (!item) throw new RangeError(`Nobody asks "${question}"`);
  return item.answer_html;
};
const section = (slug: string, heading: string) => {
  const block = pages
    .find((page) => page.slug === slug)
    ?.blocks.find(({ type, data }) => type === "rich_text" && data.title === heading);
  if (!block) throw new RangeError(`The page ${slug} has no "${heading}"`);
  return textsIn(block).join(" ");
};

const rupees = (amount: number) => `₹${(amount / 100).toLocaleString("en-IN")}`;
const numbers: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  "twenty-five": 25,
};
const inWords = (amount: number) =>
  Object.keys(numbers).find((word) => numbers[word] === amount) ?? String(amount);

describe("the demo shop's texts about coupons", () => {
  const named = texts.flatMap((text) =>
    text
      .split(/(?<=[.!?])\s/)
      .flatMap((sentence) =>
        [...sentence.matchAll(/\b[A-Z]{4,}\d+\b/g)].map(([code]) => ({ code, sentence })),
      ),
  );

  test("name only codes that are valid now, each with that coupon's own terms", () => {
    expect(named.length).toBeGreaterThan(0);
    for (const { code, sentence } of named) {
      const coupon = shop.coupons.find((each) => each.code === code);
      expect(coupon, code).toMatchObject({ active: true });
      if (!coupon) continue;
      expect(coupon.starts_at === null || coupon.starts_at <= now.toISOString()).toBe(true);
      expect(coupon.ends_at === null || coupon.ends_at > now.toISOString()).toBe(true);
      expectTerms(coupon, sentence);
      const isForFirst = /\bfirst (?:piece|order)\b/i.test(sentence);
      expect(isForFirst, sentence).toBe(coupon.first_order_only);
    }
  });

  test("name the discount of each coupon", () => {
    for (const coupon of shop.coupons.filter(({ active }) => active)) {
      expectTerms(coupon, coupon.description ?? "");
    }
  });

  function expectTerms(coupon: (typeof shop.coupons)[number], text: string): void {
    const { benefit, min_subtotal } = coupon;
    const amounts = [
      ...(benefit.kind === "fixed" ? [benefit.amount] : []),
      ...(benefit.kind === "percent" && benefit.cap !== null ? [benefit.cap] : []),
      ...(min_subtotal === null ? [] : [min_subtotal]),
    ];
    const said = [...text.matchAll(/₹[\d,]*\d/g)].map(([amount]) => amount);
    expect(new Set(said), text).toEqual(new Set(amounts.map(rupees)));
    if (benefit.kind !== "percent") return;
    const share = /\b([a-z-]+) per cent\b/i.exec(text)?.[1]?.toLowerCase();
    const bps = /\bquarter off\b/i.test(text) ? 2_500 : (numbers[share ?? ""] ?? 0) * 100;
    expect(bps, text).toBe(benefit.bps);
  }
});

describe("the demo shop's texts about payment and delivery", () => {
  const { gateway, cod, bank_transfer } = settings.payments;

  test("name every enabled payment method by its label, and no other method", () => {
    const answer = answerTo("How can I pay?").toLowerCase();
    const ways = [
      { enabled: gateway.enabled, label: gateway.label },
      { enabled: cod.enabled, label: cod.label },
      { enabled: bank_transfer.enabled, label: bank_transfer.label },
    ];
    for (const { enabled, label } of ways) {
      expect(answer.includes(label.toLowerCase()), label).toBe(enabled);
    }
    expect(answer).toContain(rupees(cod.max_amount ?? 0));
    expect(answer.includes("made-to-order sofas are paid in advance")).toBe(
      !cod.made_to_order_allowed,
    );
  });

  test("promise free delivery from the amounts that the zones define", () => {
    const freeFrom = (code: string) => {
      const zone = settings.shipping.zones.find((each) => each.code === code);
      const standard = zone?.methods.find((method) => method.code === "standard");
      return rupees(standard?.free_above ?? 0);
    };
    expect(announcement.text).toContain(
      `Free doorstep delivery from ${freeFrom("bengaluru")} in Bengaluru and from ${freeFrom("metro")} in the metros`,
    );
  });

  test("offer white glove delivery and pickup in Bengaluru and the metros, where the zones define them", () => {
    const zonesWith = (code: string) =>
      settings.shipping.zones
        .filter(({ methods }) => methods.some((method) => method.code === code))
        .map((zone) => zone.code);
    expect(zonesWith("white_glove")).toEqual(["bengaluru", "metro"]);
    expect(zonesWith("pickup")).toEqual(["bengaluru", "metro"]);
    const ways = section("shipping", "Four ways to receive it");
    expect(ways).toMatch(/White glove\s*, in Bengaluru and the metros/);
    expect(ways).toMatch(/Pickup\s*, for buyers in Bengaluru and the metros/);
    expect(answerTo("Who assembles it?")).toContain("in Bengaluru and the metros");
  });

  test("state the lead times of the products and sofas", () => {
    const range = (records: readonly { lead_time: { min_days: number; max_days: number } }[]) => [
      Math.min(...records.map(({ lead_time }) => lead_time.min_days)),
      Math.max(...records.map(({ lead_time }) => lead_time.max_days)),
    ];
    const [least = 0, most = 0] = range(shop.products);
    const [soonest = 0, latest = 0] = range(shop.sofas);
    const weeks = `${inWords(Math.floor(soonest / 7))} to ${inWords(Math.ceil(latest / 7))} weeks`;
    const text = section("shipping", "How long it takes");
    expect(text).toContain(`within ${inWords(least)} to ${inWords(most)} days`);
    expect(text).toContain(weeks);
    expect(answerTo("How long does a sofa take?").toLowerCase()).toContain(weeks);
    for (const part of home.sections) {
      if (part.type !== "sofa_feature") continue;
      const { lead_time } = shop.sofas.find(({ id }) => id === part.data.item.id)!;
      const [from, to] = [lead_time.min_days / 7, lead_time.max_days / 7].map(inWords);
      expect(part.data.text).toContain(`in ${from} to ${to} weeks`);
    }
  });
});

describe("the demo shop's texts about products", () => {
  test("state the actual number of sofas, fabrics and leathers, and the actual price of samples", () => {
    const samples = shop.materials.filter(({ swatch }) => swatch.sku !== null);
    const [models, cloths] = [inWords(shop.sofas.length), inWords(samples.length)];
    expect(sofaLanding.hero?.text?.toLowerCase()).toContain(
      `${models} models, ${cloths} cloths and leathers`,
    );
    const answer = answerTo("Can I see the cloth first?");
    expect(answer).toContain(`${cloths} cloths and leathers`);
    for (const { swatch } of samples) expect(answer).toContain(rupees(swatch.price ?? 0));
    expect([...all.matchAll(/\b(\w+) hundred cloths/gi)]).toEqual([]);
  });

  test("recommend to pet owners only materials that are marked as pet-friendly", () => {
    expect(answerTo("Which cloth is best with pets?")).toMatch(/^<p>Velvet and performance weaves/);
    const praised = shop.materials.filter(
      ({ type }) => type === "velvet" || type === "performance",
    );
    expect(praised.map(({ pet_friendly }) => pet_friendly)).not.toContain(false);
  });

  test("promise the warranties that the records define", () => {
    const monthsOf = (...categories: string[]) => [
      ...new Set(
        shop.products
          .filter(({ category_slug }) => categories.includes(category_slug))
          .flatMap(({ warranty }) => warranty.map(({ months }) => months)),
      ),
    ];
    const text = section("warranty", "How long");
    const sofa = new Map(
      shop.sofas[0]!.warranty.map(({ component, months }) => [component, months]),
    );
    const claims: [claim: string, months: number[], years: number][] = [
      ["Sofa frames", [sofa.get("Frame")!], 10],
      ["Foam and springs", [sofa.get("Foam and springs")!], 5],
      ["Dining tables and beds", monthsOf("dining-tables", "beds"), 5],
      [
        "Low tables, desks and storage",
        monthsOf(
          "coffee-tables",
          "side-tables",
          "desks",
          "bedside-tables",
          "wardrobes",
          "sideboards",
          "bookshelves",
          "tv-units",
        ),
        3,
      ],
      [
        "Upholstery of sofas, chairs, benches and stools",
        [...monthsOf("accent-chairs", "dining-chairs", "benches-stools"), sofa.get("Upholstery")!],
        2,
      ],
      [
        "Lighting, rugs, mirrors",
        monthsOf("floor-lamps", "table-lamps", "pendants", "rugs", "mirrors"),
        1,
      ],
    ];
    for (const [claim, months, years] of claims) {
      expect(text).toContain(`${claim}: ${inWords(years)} year`);
      expect(new Set(months), claim).toEqual(new Set([years * 12]));
    }
    expect(text).toContain("Cushions: six months");
    expect(monthsOf("cushions")).toEqual([6]);
  });

  test("describe the Saanjh sofa's carton as its packages define it", () => {
    const [body] = shop.sofas.find(({ slug }) => slug === "saanjh-sofa")!.packages;
    expect(all).toContain(`the carton of its body is ${body!.height_mm / 10} cm high`);
  });
});

test("contact details and opening hours are the same in every text of the demo shop", () => {
  const { phone, email } = settings.store.contact;
  const everything = JSON.stringify([menus, home, faqs, pages, inbox]);
  for (const [, number] of everything.matchAll(/(?:tel:\+|wa\.me\/)(\d+)/g)) {
    expect(`+${number}`).toBe(phone);
  }
  expect(everything).toContain(`mailto:${email}`);
  const hours = [...all.matchAll(/from (\d+\.\d\d) to (\d+\.\d\d)/g)].map(([hours]) => hours);
  expect(hours.length).toBeGreaterThan(1);
  expect(new Set(hours).size).toBe(1);
});

test("every category, collection, product, sofa and page that a demo text or menu links to exists", () => {
  const links = [
    ...JSON.stringify([
      menus,
      home,
      announcement,
      sofaLanding,
      pages,
      faqs,
      stories,
      shop.redirects,
    ]).matchAll(/"(\/[a-z][^"\\]*)/g),
  ].map(([, href]) => new URL(href as string, "https://shop.test"));
  expect(links.length).toBeGreaterThan(40);
  const slugs = {
    products: new Set<string>(shop.products.map(({ slug }) => slug)),
    sofas: new Set<string>([...shop.sofas.map(({ slug }) => slug), "materials"]),
    pages: new Set<string>(
      pages.flatMap(({ slug, status }) => (status === "published" ? [slug] : [])),
    ),
  };
  const left = new Set(shop.redirects.map(({ from }) => from));
  const broken = links.filter(({ pathname, searchParams }) => {
    if (left.has(pathname)) return false;
    const [, kind, slug] = pathname.split("/");
    const known = kind === "products" || kind === "sofas" || kind === "pages" ? slugs[kind] : null;
    return (
      (known !== null && slug !== undefined && !known.has(slug)) ||
      (["category", "collection"] as const).some((filter) => {
        const wanted = searchParams.get(filter);
        const found = shop.categories.some((each) => each.kind === filter && each.slug === wanted);
        return wanted !== null && !found;
      })
    );
  });
  expect(broken.map(({ href }) => href)).toEqual([]);
});
