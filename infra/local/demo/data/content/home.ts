import type { SofaLanding } from "#shared/domain/content/content.ts";
import type { Home, HomeSection } from "#shared/domain/content/home.ts";
import type { InteriorStory } from "#shared/domain/content/interior-story.ts";
import type { DemoCatalog } from "#infra/local/demo/catalog.ts";
import { daysBefore, demoId } from "#infra/local/demo/identity.ts";

const usps = [
  {
    icon: "workshop",
    title: "Made in our own workshops",
    text: "Two in Karnataka, a hundred and forty people.",
  },
  {
    icon: "shield",
    title: "Ten years on sofa frames",
    text: "And five on dining tables and beds.",
  },
  { icon: "truck", title: "Carried to your room", text: "Unpacked and assembled, if you like." },
  {
    icon: "leaf",
    title: "Wood with papers",
    text: "Plantation teak and sheesham, traceable to the felling.",
  },
];

const testimonials = [
  [
    "The sofa came on the day they said, up three floors, and the men took their shoes off.",
    "Ananya R.",
    "Bengaluru",
    5,
  ],
  [
    "I ordered five swatches, changed my mind twice and nobody sighed. The emerald velvet was worth it.",
    "Farhan Q.",
    "Mumbai",
    5,
  ],
  [
    "Our dining table is four years old, has survived two toddlers, and looks better than new.",
    "Shalini & Dev",
    "Pune",
    5,
  ],
  [
    "One drawer stuck. A carpenter came the next morning and planed it. That is all I ask.",
    "Brigadier Menon (retd.)",
    "Coonoor",
    4,
  ],
] as const;

const tiles = [
  ["Sofas", "/sofas", "Saanjh Sofa"],
  ["Accent chairs", "/products?category=accent-chairs", "Colaba Barrel Chair"],
  ["Dining", "/products?category=dining-tables", "Fontainhas Round Table"],
  ["Beds", "/products?category=beds", "Worli Upholstered Bed"],
  ["Storage", "/products?category=storage", "Mattancherry Cane Sideboard"],
  ["Lighting", "/products?category=lighting", "Lotus Cane Pendant"],
  ["Desks", "/products?category=desks", "Rishi Writing Desk"],
  ["Rugs", "/products?category=rugs", "Rann Medallion Rug"],
] as const;

const bestsellers = [
  "Kaveri Lounge Chair",
  "Hampi Dining Table",
  "Saanjh Sofa",
  "Mattancherry Cane Sideboard",
  "Vembanad Cane Bed",
  "Chandan Floor Lamp",
  "Banjara Stripe Dhurrie",
  "Mysore Dining Chair",
];
const arrivals = [
  "Queen’s Necklace Sofa",
  "Akbar Standing Desk",
  "Marine Arc Lamp",
  "Nagaur Extending Table",
  "Himroo Bouclé Sofa",
  "Colaba Barrel Chair",
];

export function demoHome(
  { find }: DemoCatalog,
  stories: readonly InteriorStory[],
  now: Date,
): Home {
  const id = (name: string) => demoId("sec", `home/${name}`);
  const cards = (names: readonly string[]) => names.map((name) => find(name).reference);
  const feature = find("Aangan Corner Sofa");
  const sections: HomeSection[] = [
    {
      id: id("hero"),
      type: "hero",
      data: {
        eyebrow: "Made to order",
        title: "Come in. Sit down. Stay.",
        text: "Solid wood, honest cloth and sofas made for exactly your wall.",
        image: stories[0]!.cover,
        link: { label: "Make your sofa", href: "/sofas" },
      },
    },
    {
      id: id("categories"),
      type: "category_grid",
      data: {
        title: "Room by room",
        tiles: tiles.map(([label, href, name]) => ({ label, href, image: find(name).picture })),
      },
    },
    {
      id: id("bestsellers"),
      type: "product_rail",
      data: {
        title: "What people take home",
        link: { label: "All furniture", href: "/products?sort=popular" },
        items: cards(bestsellers),
      },
    },
    {
      id: id("sofa"),
      type: "sofa_feature",
      data: {
        title: "A corner for everyone",
        text: "Choose the side, the cloth, the comfort and the legs. We build it in three to four weeks and carry it in.",
        image: feature.picture,
        item: { kind: "sofa", id: feature.reference.id },
      },
    },
    { id: id("usps"), type: "usps", data: { items: usps } },
    {
      id: id("stories"),
      type: "interior_stories",
      data: {
        title: "Homes we have been to",
        stories: stories.slice(0, 4).map((story) => story.id),
      },
    },
    {
      id: id("arrivals"),
      type: "product_rail",
      data: {
        title: "Just out of the workshop",
        link: { label: "Everything new", href: "/products?sort=newest" },
        items: cards(arrivals),
      },
    },
    {
      id: id("testimonials"),
      type: "testimonials",
      data: {
        title: "Said of us",
        items: testimonials.map(([quote, name, place, rating]) => ({ quote, name, place, rating })),
      },
    },
    {
      id: id("craft"),
      type: "rich_text",
      data: {
        title: "Why it costs what it costs",
        html: '<p>A chair of ours takes eleven hours, four people and a month of drying before that. We could do it faster with staples. <a href="/pages/care-guide">See how to make it last.</a></p>',
      },
    },
    { id: id("faq"), type: "faq", data: { title: "Before you ask", group: "delivery" } },
    {
      id: id("newsletter"),
      type: "newsletter",
      data: {
        title: "Letters from the workshop",
        text: "Once a month: new pieces, old tricks, no noise.",
        button: "Write to me",
      },
    },
  ];
  return { sections, version: 1, published_at: daysBefore(now, 4) };
}

export function demoSofaLanding(
  { find }: DemoCatalog,
  stories: readonly InteriorStory[],
): SofaLanding {
  return {
    hero: {
      eyebrow: "Made to order",
      title: "Your sofa, to the centimetre",
      text: "Nine models, twenty-five cloths and leathers, left or right.",
      image: stories[1]!.cover,
      link: { label: "Order samples", href: "/sofas/materials" },
    },
    intro_html:
      "<p>Every sofa is built for the person who ordered it. Choose a size, a cloth and a seat; the price and the day it leaves our workshop are shown as you go.</p>",
    featured: ["Saanjh Sofa", "Aangan Corner Sofa", "Esplanade Chesterfield"].map(
      (name) => find(name).reference,
    ),
    usps: usps.slice(0, 3),
    seo: {
      title: "Sofas made to order | Dehleez",
      description: "Sofas made to order in Bengaluru, in your size, cloth and comfort.",
    },
  };
}
