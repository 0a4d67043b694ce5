import { noTimes } from "#shared/domain/base/publication-schedule.ts";
import type { Page, PageBlock } from "#shared/domain/content/page.ts";
import type { StoredPicture } from "#shared/domain/upload/media.ts";
import { daysBefore, demoId } from "#infra/local/demo/identity.ts";

/** Headings with the text below each. */
type Sections = readonly (readonly [heading: string, html: string])[];

interface Row {
  slug: string;
  title: string;
  excerpt: string;
  sections: Sections;
  faq?: string;
  cta?: { title: string; label: string; href: string };
  draft?: true;
}

const rows: readonly Row[] = [
  {
    slug: "about",
    title: "About Dehleez",
    draft: true,
    excerpt: "A dehleez is a threshold. We make what stands on the other side of it.",
    sections: [
      [
        "How it began",
        "<p>In 2011 two sisters rented a shed in Peenya, bought a second-hand band saw and made a dining table for their mother. The neighbours asked for one too.</p><p>Today we are a hundred and forty people in two workshops, and we still make that table.</p>",
      ],
      [
        "How we work",
        "<p>We buy plantation teak and sheesham with papers, dry it to ten per cent and let it rest. Joints are cut to be seen. Cane is woven in Kerala, rugs in Bhadohi, brass in Moradabad, by people whose names we know.</p>",
      ],
    ],
  },
  {
    slug: "shipping",
    title: "Delivery",
    excerpt: "How your furniture reaches you, what it costs and how long it takes.",
    faq: "delivery",
    sections: [
      [
        "Four ways to receive it",
        "<ul><li><strong>Doorstep</strong>: left at your door or building entrance.</li><li><strong>Room of choice</strong>: two people carry it to the room you name.</li><li><strong>White glove</strong>, in Bengaluru and the metros: carried, unpacked, assembled, packaging taken away.</li><li><strong>Pickup</strong>, for buyers in Bengaluru and the metros: from our studio, free of charge.</li></ul>",
      ],
      [
        "Where we deliver",
        "<p>To more than 17,000 PIN codes. Enter yours on any product page. The Andaman and Nicobar Islands, Kashmir, Ladakh and the far north-east we cannot reach safely yet.</p>",
      ],
      [
        "How long it takes",
        "<p>Pieces in stock leave within one to twelve days; the product page says when. Sofas are made for you and leave the workshop after two to six weeks, depending on the model; some cloths and options take longer.</p>",
      ],
    ],
    cta: {
      title: "Wondering about your PIN code?",
      label: "Ask us on WhatsApp",
      href: "https://wa.me/918049001122",
    },
  },
  {
    slug: "returns",
    title: "Returns and refunds",
    excerpt: "Changed your mind? You have fourteen days.",
    faq: "orders",
    sections: [
      [
        "Fourteen days",
        "<p>Anything from stock may come back within fourteen days of delivery, unused and in its packaging. We collect it; collection costs what delivery cost.</p>",
      ],
      [
        "Made to order",
        "<p>Sofas in the cloth and size of your choice are made for you alone and cannot be returned, unless something is wrong with them. You may cancel free of charge until we begin to build yours.</p>",
      ],
      [
        "Damaged on arrival",
        "<p>Send us pictures within 48 hours. We repair, replace or refund, as you prefer, at our cost.</p>",
      ],
    ],
  },
  {
    slug: "care-guide",
    title: "Care guide",
    excerpt: "Ten minutes a month keep good furniture good for decades.",
    faq: "care",
    sections: [
      [
        "Wood",
        "<p>Dust along the grain. Wipe spills at once. Before the monsoon rub in a thin coat of beeswax and leave a finger's width between furniture and damp walls.</p>",
      ],
      [
        "Upholstery",
        '<table><thead><tr><th scope="col">Code</th><th scope="col">What it means</th></tr></thead><tbody><tr><td>W</td><td>Clean with water and mild soap</td></tr><tr><td>S</td><td>Solvent only: call a dry cleaner</td></tr><tr><td>WS</td><td>Either will do</td></tr><tr><td>X</td><td>Vacuum only</td></tr></tbody></table>',
      ],
      [
        "Cane",
        "<p>Cane likes a little moisture. Mist it lightly in dry winters and keep it out of direct sun. A sagging seat tightens when it is wetted from below and left to dry overnight.</p>",
      ],
      [
        "Brass",
        "<p>Half a lemon and a pinch of salt, then plain water, then a dry cloth. Or leave it: the patina is free.</p>",
      ],
    ],
  },
  {
    slug: "warranty",
    title: "Warranty",
    excerpt: "What we stand for, and for how long.",
    sections: [
      [
        "How long",
        "<ul><li>Sofa frames: ten years</li><li>Foam and springs: five years</li><li>Dining tables and beds: five years</li><li>Low tables, desks and storage: three years</li><li>Upholstery of sofas, chairs, benches and stools: two years</li><li>Lighting, rugs, mirrors: one year</li><li>Cushions: six months</li></ul>",
      ],
      [
        "What it covers",
        "<p>Everything that breaks, bends, splits or sags though it was used as furniture is. Scratches, stains, sun and puppies are life, and we repair those at cost.</p>",
      ],
    ],
    cta: {
      title: "Something is not right?",
      label: "Write to our workshop",
      href: "mailto:care@dehleez.example",
    },
  },
  {
    slug: "privacy",
    title: "Privacy",
    excerpt: "What we keep about you, why, and for how long.",
    sections: [
      [
        "What we keep",
        "<p>Your name, contact and delivery addresses, and your orders, because the law asks us to keep invoices for eight years. We do not keep card numbers: the payment gateway does.</p>",
      ],
      [
        "What we do not do",
        "<p>We do not sell data, and we do not send newsletters to people who did not ask for them.</p>",
      ],
      [
        "Your rights",
        '<p>You may see, correct or delete your data in your account at any time, or by writing to <a href="mailto:privacy@dehleez.example">privacy@dehleez.example</a>.</p>',
      ],
    ],
  },
  {
    slug: "studio",
    title: "Our studio in Bengaluru",
    excerpt: "Sit on everything before you decide.",
    sections: [
      [
        "Visit us",
        "<p>Open every day from 10.30 to 20.00. There is filter coffee, and parking behind the house.</p>",
      ],
    ],
    cta: { title: "Every cloth to touch", label: "Book a visit", href: "/contact" },
  },
];

const studio = {
  title: "Find us",
  address: "14, 12th Main Road, HAL 2nd Stage, Indiranagar, Bengaluru 560038",
  latitude: 12.9719,
  longitude: 77.6412,
};

export function demoPages(hero: StoredPicture, now: Date): Page[] {
  return rows.map(({ slug, title, excerpt, sections, faq, cta, draft }) => {
    const block = (name: string) => demoId("sec", `page/${slug}/${name}`);
    const blocks: PageBlock[] = [
      ...(slug === "about" || slug === "studio"
        ? [
            {
              id: block("hero"),
              type: "hero" as const,
              data: { eyebrow: "Dehleez", title, text: excerpt, image: hero, link: null },
            },
          ]
        : []),
      ...sections.map(([heading, html]) => ({
        id: block(heading),
        type: "rich_text" as const,
        data: { title: heading, html },
      })),
      ...(slug === "studio"
        ? [{ id: block("map"), type: "embed_map" as const, data: studio }]
        : []),
      ...(faq
        ? [{ id: block("faq"), type: "faq" as const, data: { title: "Often asked", group: faq } }]
        : []),
      ...(cta
        ? [
            {
              id: block("cta"),
              type: "cta" as const,
              data: { title: cta.title, text: null, link: { label: cta.label, href: cta.href } },
            },
          ]
        : []),
    ];
    return {
      id: demoId("page", slug),
      slug,
      title,
      excerpt,
      blocks,
      seo: { title: `${title} | Dehleez`, description: excerpt },
      status: draft ? "draft" : "published",
      version: 1,
      published: draft ? null : { slug, version: 1 },
      ...noTimes,
      published_at: draft ? null : daysBefore(now, 120),
      created_at: daysBefore(now, 150),
      updated_at: daysBefore(now, draft ? 2 : 120),
    };
  });
}
