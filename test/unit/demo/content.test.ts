import { describe, expect, test } from "vitest";
import { demoShop } from "#infra/local/demo/demo-shop.ts";
import {
  Announcement,
  Faqs,
  Menus,
  SofaLanding,
  announcementAt,
} from "#shared/domain/content/content.ts";
import { Coupon } from "#shared/domain/pricing/coupon.ts";
import {
  homeReferences,
  pageReferences,
  shownIn,
  storyReferences,
} from "#shared/domain/content/content-references.ts";
import { Home, HomeSection } from "#shared/domain/content/home.ts";
import { sanitiseHtml } from "#shared/domain/base/html.ts";
import { InteriorStory, publishStory } from "#shared/domain/content/interior-story.ts";
import { Page } from "#shared/domain/content/page.ts";
import { flattenRedirects } from "#shared/domain/content/redirect.ts";
import { settingsGroups } from "#shared/domain/settings/settings-groups.ts";
import type { SettingsGroup } from "#shared/domain/settings/settings.ts";
import { quoteShipping } from "#shared/domain/delivery/shipping.ts";
import { taxIdMatches } from "#shared/domain/contact/tax-id.ts";
import { levies } from "#shared/domain/pricing/tax.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const shop = await demoShop(now);
const ids = new Set<string>([...shop.products, ...shop.sofas].map(({ id }) => id));
const unknown = (references: readonly string[]) => references.filter((id) => !ids.has(id));

describe("the demo content", () => {
  test("contains only documents that staff could have saved", () => {
    expect(Home.parse(shop.home)).toEqual(shop.home);
    expect(Faqs.parse(shop.faqs)).toEqual(shop.faqs);
    expect({ ...Menus.parse(shop.menus), version: 1 }).toEqual(shop.menus);
    expect({ ...Announcement.parse(shop.announcement), version: 1 }).toEqual(shop.announcement);
    expect({ ...SofaLanding.parse(shop.sofaLanding), version: 1 }).toEqual(shop.sofaLanding);
    expect(shop.pages.map((each) => Page.parse(each))).toEqual(shop.pages);
    expect(shop.stories.map((each) => InteriorStory.parse(each))).toEqual(shop.stories);
  });

  test("has a homepage with every type of section", () => {
    const types = new Set(shop.home.sections.map(({ type }) => type));
    expect(types.size).toBe(HomeSection.options.length);
    const { cards, stories } = shownIn(homeReferences(shop.home));
    const storyIds = new Set(shop.stories.map(({ id }) => id));
    expect(unknown(cards)).toEqual([]);
    expect(stories.filter((id) => !storyIds.has(id))).toEqual([]);
    expect(unknown(shop.sofaLanding.featured.map(({ id }) => id))).toEqual([]);
    const onPages = shop.pages.flatMap((page) => shownIn(pageReferences(page)).cards);
    expect(onPages).not.toEqual([]);
    expect(unknown(onPages)).toEqual([]);
  });

  test("has the About page as a draft and at least four published pages", () => {
    const drafts = shop.pages.filter(({ status }) => status === "draft");
    expect(drafts.map(({ slug }) => slug)).toEqual(["about"]);
    expect(shop.pages.length - drafts.length).toBeGreaterThanOrEqual(4);
  });

  test("has at least five stories whose hotspots show products for sale", () => {
    expect(shop.stories.length).toBeGreaterThanOrEqual(5);
    for (const story of shop.stories) {
      const references = shownIn(storyReferences(publishStory(story, now))).cards;
      expect(references.length).toBeGreaterThan(3);
      expect(unknown(references)).toEqual([]);
      expect(shop.categories.some(({ kind, slug }) => kind === "room" && slug === story.room)).toBe(
        true,
      );
    }
  });

  test("refers only to FAQ groups that exist", () => {
    const groups = new Set(shop.faqs.groups.map(({ slug }) => slug));
    const asked = [...shop.home.sections, ...shop.pages.flatMap(({ blocks }) => blocks)].flatMap(
      (part) => (part.type === "faq" ? [part.data.group] : []),
    );
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.filter((slug) => !groups.has(slug))).toEqual([]);
  });

  test("contains only HTML that the sanitiser does not change", () => {
    const html = [
      ...shop.faqs.groups.flatMap(({ items }) => items.map(({ answer_html }) => answer_html)),
      ...shop.stories.map(({ body_html }) => body_html),
      ...[...shop.home.sections, ...shop.pages.flatMap(({ blocks }) => blocks)].flatMap((part) =>
        part.type === "rich_text" ? [part.data.html] : [],
      ),
      shop.sofaLanding.intro_html,
    ];
    expect(html.map(sanitiseHtml)).toEqual(html);
  });

  test("has a nested header menu and a current announcement", () => {
    expect(
      shop.menus.header.some(({ children }) => children.some((each) => each.children.length > 0)),
    ).toBe(true);
    expect(announcementAt(shop.announcement, now)).not.toBeNull();
  });

  test("redirects only to pages, products and sofas that exist", () => {
    const result = flattenRedirects(shop.redirects, []);
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const places = new Set([
      ...shop.products.map(({ slug }) => `/products/${slug}`),
      ...shop.sofas.map(({ slug }) => `/sofas/${slug}`),
      ...shop.pages.map(({ slug }) => `/pages/${slug}`),
    ]);
    const targets = result.redirects.map(({ to }) => to);
    const details = targets.filter((to) => /^\/(?:products|sofas|pages)\//.test(to));
    expect(details.length).toBeGreaterThan(2);
    expect(details.filter((to) => !places.has(to))).toEqual([]);
  });

  test("links only to published pages and existing categories", () => {
    const links = JSON.stringify([shop.menus, shop.home, shop.announcement, shop.sofaLanding]);
    const published = new Set<string>(
      shop.pages.flatMap(({ status, slug }) => (status === "draft" ? [] : [slug])),
    );
    const pages = [...links.matchAll(/"\/pages\/([a-z-]+)/g)].map(([, slug]) => slug);
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.filter((slug) => !published.has(slug!))).toEqual([]);
    const named = [...links.matchAll(/\?(category|collection)=([a-z-]+)/g)];
    expect(
      named.filter(
        ([, kind, slug]) =>
          !shop.categories.some((each) => each.kind === kind && each.slug === slug),
      ),
    ).toEqual([]);
  });
});

describe("the demo shop", () => {
  test("has coupons of every kind, limit and time window", () => {
    expect(shop.coupons.map((each) => Coupon.parse(each))).toEqual(shop.coupons);
    const some = (holds: (coupon: Coupon) => boolean) =>
      expect(shop.coupons.some(holds)).toBe(true);
    some(({ benefit }) => benefit.kind === "percent" && benefit.cap !== null);
    some(({ benefit, min_subtotal }) => benefit.kind === "fixed" && min_subtotal !== null);
    some(({ benefit }) => benefit.kind === "free_shipping");
    some(({ max_uses }) => max_uses !== null);
    some(({ max_uses_per_customer }) => max_uses_per_customer !== null);
    some(({ ends_at }) => ends_at !== null && ends_at < now.toISOString());
    some(({ applies_to }) => applies_to.categories.length > 0);
    const slugs = new Set(shop.categories.map(({ slug }) => slug));
    const targets = shop.coupons.flatMap(({ applies_to }) => applies_to.categories);
    expect(targets.filter((slug) => !slugs.has(slug))).toEqual([]);
    expect(unknown(shop.coupons.flatMap(({ applies_to }) => applies_to.product_ids))).toEqual([]);
  });

  test("has valid settings, including the tax number", () => {
    for (const group of Object.keys(settingsGroups) as SettingsGroup[]) {
      expect(settingsGroups[group].parse(shop.settings[group])).toEqual(shop.settings[group]);
    }
    const { country, tax_id } = shop.settings.store;
    expect(taxIdMatches(country, tax_id!)).toBe(true);
  });

  test("charges two tax components in the home state and one elsewhere", () => {
    const codes = (postal_code: string) =>
      levies(shop.settings.tax, "furniture", { country: "IN", postal_code }).map(
        ({ code, bps }) => `${code} ${bps}`,
      );
    expect(codes("560001")).toEqual(["cgst 900", "sgst 900"]);
    expect(codes("400001")).toEqual(["igst 1800"]);
  });

  const quote = (postal_code: string, weight_g: number) =>
    quoteShipping({
      consignments: [
        {
          quantity: 1,
          parcels: [{ weight_g, volume_cm3: 300_000 }],
          lead_time: { min_days: 3, max_days: 6 },
          delivery_classes: [],
        },
      ],
      destination: { country: "IN", postal_code },
      shipping: shop.settings.shipping,
      timezone: shop.settings.store.timezone,
      itemsTotal: 1_000_000,
      free: false,
      now,
    });

  test.each([
    ["560001", "bengaluru", ["standard", "room_of_choice", "white_glove", "pickup"]],
    ["400050", "metro", ["standard", "room_of_choice", "white_glove", "pickup"]],
    ["171001", "hills", ["standard", "room_of_choice"]],
    ["302001", "rest-of-india", ["standard", "room_of_choice"]],
    ["735101", "rest-of-india", ["standard", "room_of_choice"]],
  ])("delivers to postal code %s in the zone %s", (postalCode, zone, methods) => {
    const { serviceable, zone: found, methods: offered } = quote(postalCode, 9_000);
    expect(serviceable).toBe(true);
    expect(found?.code).toBe(zone);
    expect(offered.map(({ code }) => code)).toEqual(methods);
  });

  test.each(["744101", "194101", "791111"])("does not deliver to postal code %s", (postalCode) => {
    expect(quote(postalCode, 9_000)).toMatchObject({ reason: "area_not_served" });
  });

  test("charges more for the delivery of heavier parcels, and refuses oversized ones", () => {
    const amounts = [20_000, 60_000, 150_000].map(
      (weight) => quote("302001", weight).methods[0]!.amount,
    );
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
    expect(new Set(amounts).size).toBe(3);
    expect(quote("302001", 2_000_000)).toMatchObject({ reason: "too_large" });
  });

  test("delivers every product and sofa to every zone", () => {
    for (const { delivery_classes, packages } of [...shop.products, ...shop.sofas]) {
      const consignment = {
        quantity: 1,
        lead_time: { min_days: 1, max_days: 2 },
        delivery_classes,
        parcels: packages.map(({ width_mm, depth_mm, height_mm, weight_g }) => ({
          weight_g,
          volume_cm3: Math.ceil((width_mm * depth_mm * height_mm) / 1000),
        })),
      };
      for (const postal_code of ["560001", "400050", "171001", "302001"]) {
        const { serviceable } = quoteShipping({
          consignments: [consignment],
          destination: { country: "IN", postal_code },
          shipping: shop.settings.shipping,
          timezone: "Asia/Kolkata",
          itemsTotal: 0,
          free: false,
          now,
        });
        expect(serviceable).toBe(true);
      }
    }
  });
});
