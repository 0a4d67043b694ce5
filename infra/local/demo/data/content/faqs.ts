import type { Faqs } from "#shared/domain/content/content.ts";
import { demoId } from "#infra/local/demo/identity.ts";

type Item = readonly [question: string, answer: string];

const groups: readonly (readonly [slug: string, title: string, items: readonly Item[]])[] = [
  [
    "orders",
    "Orders and payment",
    [
      [
        "How can I pay?",
        "By card, UPI or net banking, by bank transfer (NEFT, RTGS, UPI), or in cash on delivery up to ₹50,000 where your PIN code and the piece allow it. Made-to-order sofas are paid in advance.",
      ],
      [
        "Can I change or cancel my order?",
        "You may cancel free of charge until we begin to pack it, or to build it in the case of sofas. Ask us for any other change.",
      ],
      [
        "Do I get a GST invoice?",
        "Always. Enter your GSTIN at checkout and it appears on the invoice.",
      ],
      [
        "How do I follow my order?",
        "With the order number we sent you, on the tracking page. No account is needed.",
      ],
    ],
  ],
  [
    "delivery",
    "Delivery",
    [
      [
        "Do you deliver to my PIN code?",
        "Very likely: we serve most of India. Enter your PIN code in the cart to see methods, prices and days.",
      ],
      [
        "Will it fit through my door?",
        "Every product page lists the packages with their measures. Compare them with your door, stairs and lift before you order.",
      ],
      [
        "Do you carry it upstairs?",
        "With “Room of choice” we do, up to the fourth floor without a lift, and with “White glove”.",
      ],
      [
        "Who assembles it?",
        "You can, with the tool in the box; the product page says how long it takes and for how many people. With “White glove”, in Bengaluru and the metros, we do and take the packaging away.",
      ],
    ],
  ],
  [
    "sofas",
    "Sofas made to order",
    [
      [
        "How long does a sofa take?",
        "Two to six weeks, depending on the model; some cloths and options take longer. The configurator shows the time for exactly your choice.",
      ],
      [
        "Can I see the cloth first?",
        "Order samples of all twenty-five cloths and leathers, for ₹49 each.",
      ],
      [
        "Which cloth is best with pets?",
        "Velvet and performance weaves: claws find no loops. Look for the mark “pet friendly”.",
      ],
      [
        "What does “left” mean?",
        "Stand in front of the sofa and look at it: the chaise is on your left.",
      ],
    ],
  ],
  [
    "care",
    "Care and warranty",
    [
      [
        "How do I clean my sofa?",
        "By its cleaning code: W with water, S with solvent, WS with either, X by vacuum only.",
      ],
      [
        "Does solid wood crack?",
        "It moves with the seasons, and we leave it room to. Hairlines are normal; open joints are covered by the warranty.",
      ],
      [
        "How do I claim the warranty?",
        "Write to us with your order number and two pictures. We answer within two working days.",
      ],
    ],
  ],
];

export const demoFaqs: Faqs = {
  version: 1,
  groups: groups.map(([slug, title, items]) => ({
    slug,
    title,
    items: items.map(([question, answer]) => ({
      id: demoId("faq", `${slug}/${question}`),
      question,
      answer_html: `<p>${answer}</p>`,
    })),
  })),
};
