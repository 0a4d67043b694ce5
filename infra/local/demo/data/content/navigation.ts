import type { Announcement, Menus } from "#shared/domain/content/content.ts";
import type { Redirect } from "#shared/domain/content/redirect.ts";
import { daysBefore } from "#infra/local/demo/identity.ts";

type Leaf = readonly [label: string, href: string];
type Branch = readonly [label: string, href: string, below: readonly Leaf[]];
type Top = readonly [label: string, href: string, below?: readonly (Leaf | Branch)[]];

const leaf = ([label, href]: Leaf) => ({ label, href, children: [] });
const items = (tops: readonly Top[]) =>
  tops.map(([label, href, below = []]) => ({
    label,
    href,
    children: below.map(([label, href, leaves = []]) => ({
      label,
      href,
      children: leaves.map(leaf),
    })),
  }));

const products = (category: string) => `/products?category=${category}`;

const header: readonly Top[] = [
  [
    "Sofas",
    "/sofas",
    [
      ["All sofas", "/sofas"],
      ["Two-seaters", "/sofas?seats=2"],
      ["Corner sofas", "/sofas?seats=4,5,6"],
      ["Cloths and leathers", "/sofas/materials"],
    ],
  ],
  [
    "Furniture",
    "/products",
    [
      [
        "Seating",
        products("seating"),
        [
          ["Accent chairs", products("accent-chairs")],
          ["Dining chairs", products("dining-chairs")],
          ["Benches & stools", products("benches-stools")],
        ],
      ],
      [
        "Tables",
        products("tables"),
        [
          ["Dining tables", products("dining-tables")],
          ["Coffee tables", products("coffee-tables")],
          ["Side tables", products("side-tables")],
          ["Desks", products("desks")],
        ],
      ],
      [
        "Bedroom",
        products("bedroom"),
        [
          ["Beds", products("beds")],
          ["Bedside tables", products("bedside-tables")],
          ["Wardrobes", products("wardrobes")],
        ],
      ],
      [
        "Storage",
        products("storage"),
        [
          ["Sideboards", products("sideboards")],
          ["Bookshelves", products("bookshelves")],
          ["TV units", products("tv-units")],
        ],
      ],
    ],
  ],
  [
    "Lighting",
    products("lighting"),
    [
      ["Floor lamps", products("floor-lamps")],
      ["Table lamps", products("table-lamps")],
      ["Pendants", products("pendants")],
    ],
  ],
  [
    "Rugs & Decor",
    products("rugs"),
    [
      ["Rugs", products("rugs")],
      ["Mirrors", products("mirrors")],
      ["Cushions", products("cushions")],
    ],
  ],
  [
    "Collections",
    "/collections",
    [
      ["Malabar", "/products?collection=malabar"],
      ["Deccan", "/products?collection=deccan"],
      ["Nilgiri", "/products?collection=nilgiri"],
      ["Bombay Deco", "/products?collection=bombay-deco"],
      ["Kutch", "/products?collection=kutch"],
    ],
  ],
  ["Interiors", "/interiors"],
];

const footer: readonly Top[] = [
  [
    "Help",
    "/help",
    [
      ["Delivery", "/pages/shipping"],
      ["Returns", "/pages/returns"],
      ["Track an order", "/track"],
      ["Questions", "/faqs"],
    ],
  ],
  [
    "Dehleez",
    "/pages/studio",
    [
      ["Our studio", "/pages/studio"],
      ["Care guide", "/pages/care-guide"],
      ["Warranty", "/pages/warranty"],
    ],
  ],
  [
    "Say hello",
    "/contact",
    [
      ["hello@dehleez.example", "mailto:hello@dehleez.example"],
      ["080 4900 1122", "tel:+918049001122"],
      ["WhatsApp", "https://wa.me/918049001122"],
    ],
  ],
];

export const demoMenus: Menus = {
  header: items(header),
  footer: items(footer),
  mobile: items([
    ["Sofas", "/sofas"],
    ["Furniture", "/products"],
    ["Lighting", products("lighting")],
    ["Rugs", products("rugs")],
    ["Interiors", "/interiors"],
  ]),
  legal: items([
    ["Privacy", "/pages/privacy"],
    ["Returns", "/pages/returns"],
  ]),
};

export const demoAnnouncement = (now: Date): Announcement => ({
  enabled: true,
  text: "Ten per cent off, up to ₹5,000, with WELCOME10. Free doorstep delivery from ₹15,000 in Bengaluru and from ₹25,000 in the metros.",
  link: { label: "See what is new", href: "/products?sort=newest" },
  theme: "sale",
  starts_at: daysBefore(now, 3),
  ends_at: daysBefore(now, -27),
});

export const demoRedirects: Redirect[] = [
  { from: "/sofa", to: "/sofas", status: 301 },
  { from: "/shop", to: "/products", status: 301 },
  { from: "/collections/teak-and-cane", to: "/products?collection=malabar", status: 301 },
  { from: "/products/kaveri-easy-chair", to: "/products/kaveri-lounge-chair", status: 301 },
  { from: "/sofas/saanjh-3-seater", to: "/sofas/saanjh-sofa", status: 301 },
  { from: "/delivery", to: "/pages/shipping", status: 308 },
  { from: "/warranty", to: "/pages/warranty", status: 308 },
  { from: "/sale", to: "/products?sort=price", status: 302 },
  { from: "/blog", to: "/interiors", status: 302 },
];
