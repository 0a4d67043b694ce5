import { describe, expect, test } from "vitest";
import {
  emailChangedLetter,
  passwordChangedLetter,
  resetPasswordLetter,
  verifyEmailLetter,
} from "#shared/mail/account-letters.ts";
import { type Letter, greeting, storefrontLink, withPictureUrls } from "#shared/mail/letter.ts";
import { mailbox } from "#shared/mail/mailer.ts";
import { catalogItem, customItem } from "#shared/domain/enquiry/quote-item.ts";
import { priceQuote } from "#shared/domain/enquiry/quote-price.ts";
import { newQuote } from "#shared/domain/enquiry/quote-input.ts";
import {
  quoteAnsweredLetter,
  quoteReceivedLetter,
  quoteSentLetter,
} from "#shared/mail/enquiry-letters.ts";
import { charge } from "#shared/domain/payment/payment.ts";
import {
  orderAttentionLetter,
  orderBalanceLetter,
  orderCancelledLetter,
  orderDeliveredLetter,
  orderExpiredLetter,
  orderPaidLetter,
  orderPaymentReceivedLetter,
  orderPaymentVoidedLetter,
  orderRefundFailedLetter,
  orderRefundedLetter,
  orderShippedLetter,
} from "#shared/mail/order-step-letters.ts";
import { orderPaymentChangedLetter, orderPlacedLetter } from "#shared/mail/order-letters.ts";
import { orderReturnLetter } from "#shared/mail/order-return-letter.ts";
import { ReturnStatus } from "#shared/domain/order/returns/order-return.ts";
import { aReturn } from "#test/support/shop/order-record.ts";
import { orderUrl } from "#shared/mail/wording.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import { aSlot } from "#test/support/shop/settings.ts";
import {
  publicationFailedLetter,
  staffEmailChangedLetter,
  staffSecondFactorChangedLetter,
  staffSecondFactorLockedLetter,
  staffInvitationLetter,
  staffPasswordChangedLetter,
  staffResetPasswordLetter,
  staffVerifyEmailLetter,
} from "#shared/mail/staff-letters.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import {
  aCoupon,
  aCouponCase,
  aMethod,
  aPricedLine,
  aStore,
  aTax,
  aZone,
  anId,
  noon,
  somePayments,
  someSettings,
  someShipping,
} from "#test/support/shop/commerce.ts";

const hostile = `<img src=x onerror="alert('1')">&amp;`;
const escaped = "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;";
const store = aStore({ name: `Teak & "Thread"` });
const token = "q0Vb5p-_q0Vb5p-_q0Vb5p-_q0Vb5p-_q0Vb5p-_q0V";
const later = "2026-11-21T07:30:00.000Z";
const addressee = { name: hostile, to: "asha+1@example.com" };

const order = aPlacedOrder({ name: hostile });
const record = {
  order,
  rows: { timeline: [], transactions: [], shipments: [], changes: [], returns: [] },
};
const aCase = aReturn({
  answer: hostile,
  fee: 300,
  credited: 700,
  refunded: 700,
  items: [
    {
      id: order.items[0]!.id,
      inspection: { accepted: 1, goods: "restock", refused: 0, missing: 0 },
    },
  ],
});
const tracking = `https://shop.example.com/orders/track/${order.number}`;
const items = order.items.map(({ id, quantity }) => ({ id, quantity }));
const shipment = {
  id: "shp_1",
  status: "out_for_delivery",
  items,
  carrier: hostile,
  tracking_number: "BD 1",
  tracking_url: "https://track.example.com/1?a=1&b=2",
  dispatched_at: later,
  delivered_at: null,
  slot: null,
} as const;
const refund = {
  ...charge({
    id: "txn_1",
    state: "succeeded",
    amount: 1_000,
    method: "bank_transfer",
    provider_ref: hostile,
    at: later,
  }),
  type: "refund" as const,
  items: items.map((item) => ({ ...item })),
};

const part = charge({
  id: "txn_2",
  state: "succeeded",
  amount: 1_000,
  method: "bank_transfer",
  provider_ref: null,
  at: later,
});

const letters: [string, Letter, string][] = [
  [
    "verify_email",
    verifyEmailLetter(store, { ...addressee, token, expires_at: later }),
    `https://shop.example.com/verify-email?token=${token}`,
  ],
  [
    "reset_password",
    resetPasswordLetter(store, { ...addressee, token, expires_at: later }),
    `https://shop.example.com/reset-password?token=${token}&email=asha%2B1%40example.com`,
  ],
  [
    "password_changed",
    passwordChangedLetter(store, { ...addressee, changed_at: later }),
    "https://shop.example.com/forgot-password",
  ],
  [
    "email_changed",
    emailChangedLetter(store, { ...addressee, changed_at: later }),
    "https://shop.example.com/",
  ],
  [
    "staff_invitation",
    staffInvitationLetter(store, { ...addressee, token, expires_at: later }),
    `https://desk.example.com/reset-password?token=${token}&email=asha%2B1%40example.com`,
  ],
  [
    "staff_reset_password",
    staffResetPasswordLetter(store, { ...addressee, token, expires_at: later }),
    `https://desk.example.com/reset-password?token=${token}&email=asha%2B1%40example.com`,
  ],
  [
    "staff_verify_email",
    staffVerifyEmailLetter(store, { ...addressee, token, expires_at: later }),
    `https://desk.example.com/verify-email?token=${token}`,
  ],
  [
    "staff_password_changed",
    staffPasswordChangedLetter(store, { ...addressee, changed_at: later }),
    "https://desk.example.com/forgot-password",
  ],
  [
    "staff_email_changed",
    staffEmailChangedLetter(store, { ...addressee, changed_at: later }),
    "https://desk.example.com/",
  ],
  [
    "staff_second_factor_locked",
    staffSecondFactorLockedLetter(store, { ...addressee, changed_at: later }),
    "https://desk.example.com/forgot-password",
  ],
  ...(["enrolled", "removed", "reset"] as const).map((change): (typeof letters)[number] => [
    `staff_second_factor_changed: ${change}`,
    staffSecondFactorChangedLetter(store, {
      type: "staff_second_factor_changed",
      ...addressee,
      change,
      changed_at: later,
    }),
    "https://desk.example.com/forgot-password",
  ]),
  [
    "publication_failed",
    publicationFailedLetter(store, {
      type: "publication_failed",
      kind: "product",
      id: anId("prd"),
      label: hostile,
      action: "publish",
      at: later,
      reason: "The product needs at least one variant.",
    }),
    "https://desk.example.com/",
  ],
  ["order_placed", orderPlacedLetter(store, order, somePayments(), null), tracking],
  [
    "order_payment_changed",
    orderPaymentChangedLetter(store, order, somePayments(), null),
    tracking,
  ],
  ["order_paid", orderPaidLetter(store, record), tracking],
  ["order_shipped", orderShippedLetter(store, record, shipment), shipment.tracking_url],
  ["order_delivered", orderDeliveredLetter(store, record, shipment), tracking],
  ["order_payment_received", orderPaymentReceivedLetter(store, record, part), tracking],
  ["order_payment_voided", orderPaymentVoidedLetter(store, record, part), tracking],
  ["order_cancelled", orderCancelledLetter(store, record), "https://shop.example.com/"],
  ["order_expired", orderExpiredLetter(store, record), "https://shop.example.com/"],
  ["order_refunded", orderRefundedLetter(store, record, refund), tracking],
  ...[...ReturnStatus.options, "send_back_planned", "sent_back"].map(
    (status): (typeof letters)[number] => [
      `return_changed: ${status}`,
      orderReturnLetter(store, record, aCase, {
        status,
        answer: hostile,
        change_id: null,
        url: tracking,
      })!,
      tracking,
    ],
  ),
  ["order_refund_failed", orderRefundFailedLetter(store, record, refund), tracking],
  [
    "order_attention",
    orderAttentionLetter(store, order, { code: "overpaid", message: "More was paid." }),
    `https://desk.example.com/orders/${order.id}`,
  ],
];

describe.each(letters)("the mail %s", (_name, { html, text, subject, shop, reply_to }, url) => {
  test("contains its link in both the HTML and the text part", () => {
    expect(text).toContain(url);
    expect(html).toContain(`href="${url.replaceAll("&", "&amp;")}"`);
    for (const part of [html, text]) expect(part).toMatch(/Hello[ ,]/);
  });

  test("escapes text that users entered, and greets by name only if the text is a plausible name", () => {
    expect(html).not.toMatch(/<img/);
    for (const part of [html, text]) expect(part).toMatch(/(?:>|\n)Hello,/);
  });

  test("has the shop's name as sender and a Reply-To that staff read", () => {
    expect(shop).toBe(store.name);
    expect(subject).toMatch(/Teak & "Thread"/);
    expect(reply_to).toBe("care@example.com");
    expect(html).toContain("Teak &amp; &quot;Thread&quot;");
  });

  test("is accessible to screen readers and loads no external resources", () => {
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).not.toMatch(/<(?:img|script|link|iframe)|url\(/);
  });
});

test("the mail that verifies an email says before its link that the customer must sign in", () => {
  const mail = verifyEmailLetter(store, { ...addressee, token, expires_at: later });
  for (const part of [mail.html, mail.text]) {
    expect(part.indexOf("sign in to your account first")).toBeGreaterThan(0);
    expect(part.indexOf("sign in to your account first")).toBeLessThan(part.indexOf(token));
  }
});

describe("the confirmation mail of an order", () => {
  const textOf = (...of: Parameters<typeof aPlacedOrder>) =>
    orderPlacedLetter(store, aPlacedOrder(...of), somePayments(), null).text;

  test("lists every item, the total and the tax", () => {
    const text = textOf();
    expect(text).toContain(order.number);
    expect(text).toContain("Oslo chair × 1: ₹45,990.00");
    expect(order.totals.grand_total).toBe(4_648_900);
    expect(text).toContain("Total: ₹46,489.00");
    expect(text).toContain("Of which tax: ₹");
  });

  test("shows the small copy of each item's picture, and no picture that has none", () => {
    const folder = "media://uploads/med_01JD0000000000000000000001";
    const image = { alt: "A chair", width: 1_200, height: 900 };
    const withImage = (url: string) => {
      const [item] = order.items;
      const pictured = { ...order, items: [{ ...item!, image: { ...image, url } }] };
      return orderPlacedLetter(store, pictured, somePayments(), null);
    };
    const { html, text } = withImage(`${folder}/original-1200x900-d9cbb2.webp`);
    expect(html).toContain(`<img src="${folder}/320.webp" alt="" width="72" height="54">`);
    expect(text).not.toContain("media:");
    expect(withPictureUrls(html, "https://media.example.com")).toContain(
      `<img src="https://media.example.com/uploads/med_01JD0000000000000000000001/320.webp"`,
    );
    expect(withImage("media://chairs/oslo.webp").html).not.toContain("<img");
  });

  test("shows amounts that add up if prices exclude tax", () => {
    const settings = { ...someSettings(), tax: aTax({ prices_include_tax: false }) };
    const text = textOf({}, { settings });
    const amount = (name: string) =>
      Number(new RegExp(`${name}: ₹([\\d,.]+)`).exec(text)?.[1]?.replaceAll(",", ""));
    const sum = amount("Items") + amount("Delivery") + amount("Tax on the items");
    expect(sum).toBeCloseTo(amount("Total"), 5);
  });

  test("explains how to pay by bank transfer: account, amount, deadline and reference", () => {
    const text = textOf({ payment_method: "bank_transfer" });
    expect(text).toContain("Account number: 001234567890");
    expect(text).toContain("Bank code: EXMP0000123");
    expect(text).toContain("Amount: ₹46,489.00");
    expect(text).toContain(`Reference: ${order.number}`);
    expect(text).toMatch(/Please pay before: 22 November 2026 at 12:00 (?:pm|PM) /);
  });

  test("explains cash on delivery and has no bank account", () => {
    const text = textOf({ payment_method: "cod" });
    expect(text).toContain("In cash, when it arrives: ₹46,489.00");
    expect(text).not.toContain("001234567890");
  });

  const online = aPlacedOrder({ payment_method: "gateway" });
  const written = (of: StoredOrder, link: string | null) =>
    orderPlacedLetter(store, of, somePayments(), orderUrl(store, of, link));

  test("links guests by a token in the fragment to the page that opens, pays and cancels the order", () => {
    const url = `https://shop.example.com/orders/${online.id}#token=${token}`;
    const { text, html } = written(online, token);
    expect(text).toContain(`If you have not paid yet, you can do so here.`);
    for (const label of ["Pay now", "Open your order"]) expect(text).toContain(`${label}:\n${url}`);
    expect(html.split(`href="${url}"`)).toHaveLength(3);
    const transfer = written(order, token).text;
    expect(transfer).toContain(
      `Open your order:\nhttps://shop.example.com/orders/${order.id}#token=`,
    );
    expect(transfer).not.toContain("Pay now");
  });

  test("links customers to their order without a token, and asks them to sign in", () => {
    const own = { ...online, customer: { ...online.customer, id: anId("cus") } };
    const { text } = written(own, null);
    expect(text).toContain("If you have not paid yet, sign in and do so here.");
    expect(text).toContain(`Pay now:\nhttps://shop.example.com/orders/${own.id}\n`);
  });

  test("has only the tracking link in the shop's copy, and if nobody can open the order", () => {
    expect(orderUrl(store, online, null)).toBeNull();
    for (const { text, html } of [
      orderPlacedLetter(store, online, somePayments(), null),
      orderPaymentChangedLetter(store, online, somePayments(), null),
    ]) {
      expect(text).toContain("Until then we hold your items for you.");
      expect(text).toContain(`Follow your order:\n${tracking}`);
      expect(text.match(/https:\S+/g)).toEqual([tracking]);
      expect([...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url)).toEqual([tracking]);
    }
  });

  test("names a discount and free delivery", () => {
    const settings = {
      ...someSettings(),
      shipping: someShipping([aZone({ methods: [aMethod({ free_above: 0 })] })]),
    };
    const coupon = aCouponCase({
      coupon: aCoupon({ benefit: { kind: "fixed", amount: 100_000 } }),
    });
    const text = textOf({}, { settings, coupon });
    expect(text).toContain("Oslo chair × 1: ₹45,990.00");
    expect(text).toContain("Items: ₹45,990.00");
    expect(text).toContain("Discount WELCOME10: −₹1,000.00");
    expect(text).toContain("Delivery: Free");
  });
});

test("the cancellation mail lists only the refunds of the cancellation, not earlier ones", () => {
  const cancelled = {
    at: later,
    type: "cancelled",
    message: "The order was cancelled.",
    public: true,
  };
  const earlier = { ...refund, id: "txn_0", amount: 100, at: "2026-11-20T07:30:00.000Z" };
  const { text } = orderCancelledLetter(store, {
    order: { ...order, status: "cancelled", paid: 1_100 },
    rows: { ...record.rows, timeline: [cancelled], transactions: [earlier, refund] },
  });
  expect(text).toContain("₹10.00");
  expect(text).not.toContain("₹1.00");
});

test("the mail about an accepted or declined quote has its reference, and its total if it was accepted", () => {
  const quote = newQuote(
    {
      name: "Asha Rao",
      email: "asha@example.com",
      phone: null,
      message: null,
      postal_code: null,
      source: null,
      consent: true,
      upload_ids: [],
      items: [],
    },
    { id: anId("qte"), reference: "Q-7K3M-92QX", currency: "INR", now: noon },
  );
  const { text } = quoteAnsweredLetter(store, quote, "accepted", 100_000);
  expect(text).toContain(`Reference: ${quote.reference}`);
  expect(text).toContain("Total: ₹1,000.00");
  expect(quoteAnsweredLetter(store, quote, "declined", null).text).not.toContain("Total");
});

describe("the mails of an order for pickup", () => {
  const pickup = aMethod({ code: "pickup", label: "Collect from our studio" });
  const settings = { ...someSettings(), shipping: someShipping([aZone({ methods: [pickup] })]) };
  const pricing = { settings, method: "pickup" } as const;
  const toCollect = aPlacedOrder({ payment_method: "cod" }, pricing);
  const { line1 } = toCollect.addresses.shipping;
  const ofIt = { ...record, order: toCollect };
  const all = { ...ofIt, rows: { ...ofIt.rows, shipments: [shipment], changes: [], returns: [] } };
  const atTheShop = `Collection
  How: Collect from our studio
  When: 24 November 2026 to 27 November 2026
  Where: Teak & "Thread", 12 Residency Road, Bengaluru 560025
  Contact: care@example.com or +918040001000
`;

  test.each([
    ["order_placed", orderPlacedLetter(store, toCollect, somePayments(), null)],
    ["order_payment_changed", orderPaymentChangedLetter(store, toCollect, somePayments(), null)],
    ["order_paid", orderPaidLetter(store, ofIt)],
  ])(
    "name the shop as the place of collection, and %s says where that is",
    (_name, { html, text }) => {
      expect(text).toContain(atTheShop);
      for (const part of [html, text]) {
        expect(part).not.toContain(line1);
        expect(part).not.toMatch(/deliver|arrives/i);
      }
    },
  );

  test("say that payment is due at collection", () => {
    const { text } = orderPlacedLetter(store, toCollect, somePayments(), null);
    expect(text).toContain("In cash, when you collect: ₹");
    const partly = { ...ofIt, order: { ...toCollect, paid: 1_000, received: 1_000 } };
    const { text: rest } = orderPaymentReceivedLetter(store, partly, part);
    expect(rest).toContain("Please pay the rest when you collect your order.");
  });

  test("say that the items are ready for collection, not that they were shipped", () => {
    const { subject, text } = orderShippedLetter(store, all, shipment);
    expect(subject).toMatch(/^Your order .+ is ready to collect$/);
    expect(text).toContain(`Your order ${toCollect.number} is ready to collect.\n`);
    expect(text).toContain(
      'Collection\n  Where: Teak & "Thread", 12 Residency Road, Bengaluru 560025\n',
    );
    expect(text).toContain("To be paid when you collect: ₹");
    expect(text).not.toContain(line1);
    expect(text).not.toMatch(/on its way|arrives|has left/);
    expect(orderShippedLetter(store, ofIt, shipment).text).toMatch(
      /A part of your order .+ is ready to collect\. The rest follows\./,
    );
  });

  test('say "collected" instead of "delivered"', () => {
    const { subject, text } = orderDeliveredLetter(store, ofIt, shipment);
    expect(subject).toMatch(/^A part of your order .+ has been collected$/);
    expect(text).toMatch(/has been collected\. We hope you like it\./);
    expect(text).not.toMatch(/delivered|arrived/);
  });

  test("name only the shop if the settings have no address and no contact", () => {
    const bare = aStore({
      address_lines: [],
      contact: { email: null, phone: null, whatsapp: null },
    });
    const { text } = orderPlacedLetter(bare, toCollect, somePayments(), null);
    expect(text).toContain("  Where: Teak & Thread\n\n");
  });
});

test("the shipment mail says that the shipment was dispatched, and where it goes", () => {
  const { text } = orderShippedLetter(store, record, { ...shipment, carrier: null });
  expect(text).toContain(`A part of your order ${order.number} has left our warehouse. The rest`);
  expect(text).toContain(`Delivery\n  Where: ${order.addresses.shipping.name}, `);
});

test("the shipment mail says when it arrives if the order has a slot", () => {
  const slot = { ...aSlot(), confirm_by: noon.toISOString(), has_left: false };
  const { text } = orderShippedLetter(store, { ...record, order: { ...order, slot } }, shipment);
  expect(text).toContain("  When: 24 November 2026, Morning (09:00–13:00)\n");
});

test("the mail about a balance by bank transfer opens the order, where the buyer can pay otherwise", () => {
  const url = "https://shop.example.com/orders/ord_1#token=t";
  const transfer = aPlacedOrder({ payment_method: "bank_transfer" });
  const letterWith = (to: string | null) =>
    orderBalanceLetter(store, transfer, somePayments(), { url: to, isReminder: false }).text;
  expect(letterWith(url)).toContain(`Open your order:\n${url}`);
  expect(letterWith(null)).not.toContain("Open your order");
});

test("the mail to the shop about an attention flag names the order's buyer", () => {
  const of = aPlacedOrder({ name: "Asha Rao" });
  const flag = { code: "overpaid", message: "More was paid." } as const;
  expect(orderAttentionLetter(store, of, flag).text).toContain("  From: Asha Rao\n");
});

describe("the options of a configured sofa", () => {
  const choices = [
    { option: "size", label: "Size", value: "3-seater" },
    { option: "legs", label: `Legs & "feet"`, value: "Turned <sheesham>" },
  ];
  const [item] = order.items;
  const line = { ...item!, name: "Saanjh Sofa", choices };
  const sofaOrder = {
    ...order,
    items: [line, { ...line, id: "line_2", name: "Stool", choices: [] }],
  };
  const sofaRecord = { ...record, order: sofaOrder };
  const stool = customItem(
    { title: "Stool", description: null, dimensions: null },
    { id: "l", quantity: 1 },
  );
  const quoted = [
    { ...catalogItem(aPricedLine({ name: "Saanjh Sofa", choices })), id: line.id },
    { ...stool, unit_price: 45_000 },
  ];
  const quote = newQuote(
    {
      name: "Asha Rao",
      email: "asha@example.com",
      phone: null,
      message: null,
      postal_code: null,
      source: null,
      consent: true,
      upload_ids: [],
      items: quoted,
    },
    { id: anId("qte"), reference: "Q-7K3M-92QX", currency: "INR", now: noon },
  );
  const offer = { pricing: priceQuote(quote, someSettings())!, token, expires_at: later };

  test.each([
    ["order_placed", orderPlacedLetter(store, sofaOrder, somePayments(), null)],
    ["order_shipped", orderShippedLetter(store, sofaRecord, shipment)],
    ["order_delivered", orderDeliveredLetter(store, sofaRecord, shipment)],
    ["order_refunded", orderRefundedLetter(store, sofaRecord, refund)],
    ["quote_received", quoteReceivedLetter(store, quote)],
    ["quote_sent", quoteSentLetter(store, quote, offer)],
  ])("are listed below its name in the mail %s", (_name, { html, text }) => {
    expect(text).toMatch(
      /\n {2}Saanjh Sofa.*\n {4}Size: 3-seater\n {4}Legs & "feet": Turned <sheesham>\n(?! {4})/,
    );
    const [, size, legs] = html.split('<tr class="detail"><th scope="row">');
    expect(html).toMatch(
      /<tr(?: class="item")?><th scope="row">Saanjh Sofa.*<\/tr>\n<tr class="detail">/,
    );
    expect(size).toMatch(/^Size<\/th><td>3-seater<\/td><\/tr>/);
    expect(legs).toMatch(/^Legs &amp; &quot;feet&quot;<\/th><td>Turned &lt;sheesham&gt;<\/td>/);
  });

  test("are omitted for orders that were stored without them", () => {
    const { choices: _choices, ...old } = line;
    const before = { ...order, items: [old as typeof line] };
    const { text, html } = orderPlacedLetter(store, before, somePayments(), null);
    expect(text).toContain("  Saanjh Sofa × 1: ₹45,990.00\n");
    expect(html).not.toContain('class="detail"');
  });
});

describe("the mail about a received payment", () => {
  const textOf = (payment_method: "bank_transfer" | "cod", paid: number) => {
    const received = { ...aPlacedOrder({ payment_method }), paid, received: paid };
    return orderPaymentReceivedLetter(store, { ...record, order: received }, part).text;
  };
  const total = order.totals.grand_total;

  test("states the remaining amount and how to pay it", () => {
    const text = textOf("bank_transfer", 3_000);
    expect(text).toContain("We have received now: ₹10.00");
    expect(text).toContain("Received in all: ₹30.00");
    expect(text).toContain("Still to pay: ₹46,459.00");
    expect(text).toMatch(/transfer the rest to the same account, with the reference FS-/);
    expect(textOf("cod", 1_000)).toContain("have the rest ready when your order arrives");
  });

  test("says that no amount is due, or states the overpayment", () => {
    expect(textOf("cod", total)).toContain("It is paid.");
    expect(textOf("cod", total)).not.toContain("Still to pay");
    expect(textOf("cod", total + 500)).toContain("That is ₹5.00 more than the order costs.");
  });
});

test("the delivery mail distinguishes a partial from a complete delivery", () => {
  const delivered = { ...shipment, status: "delivered" as const };
  const subjectOf = (shipments: (typeof delivered)[]) =>
    orderDeliveredLetter(store, { order, rows: { ...record.rows, shipments } }, delivered).subject;
  expect(subjectOf([delivered])).toMatch(/^Your order .+ has been delivered$/);
  expect(subjectOf([])).toMatch(/^A part of your order .+ has been delivered$/);
});

test("the shipment mail shows text that users entered, escaped in its HTML part", () => {
  const { html, text } = orderShippedLetter(store, record, shipment);
  expect(html).toContain(escaped);
  expect(text).toContain(hostile);
});

describe("the greeting of a mail", () => {
  test.each([
    "Asha",
    "Asha K. Rao",
    "A.P.J. Abdul Kalam",
    "Zoë O’Neill-Smith",
    "आशा राव",
    "李 小龍",
  ])("uses the name %s", (name) => {
    expect(greeting(name)).toBe(`Hello ${name},`);
  });

  test.each([
    "evil.example",
    "Win at www.evil.example/x",
    "https://evil.example",
    "t.me",
    "asha@evil.example",
    "Call 98123 45678",
    "1.2.3.4",
    "<b>Asha</b>",
    "Your account is locked and you have to write to us today or lose it",
    "...",
  ])("omits %s, which is not a plausible name", (typed) => {
    expect(greeting(typed)).toBe("Hello,");
  });

  test("omits the name if the address is not verified", () => {
    const unproven = { name: null, to: "asha@example.com", token, expires_at: later };
    const changed = { name: null, changed_at: later };
    for (const { text } of [
      verifyEmailLetter(store, unproven),
      resetPasswordLetter(store, unproven),
      passwordChangedLetter(store, changed),
      emailChangedLetter(store, changed),
    ]) {
      expect(text).toMatch(/\nHello,\n/);
    }
  });
});

test("an order's postal address in a mail contains no link", () => {
  const online = aPlacedOrder({});
  const shipping = {
    ...online.addresses.shipping,
    name: "Prize at evil.example",
    line1: "https://evil.example/x",
    line2: "Dr.Ambedkar Road, No. 4.5",
  };
  const addressed = { ...online, addresses: { ...online.addresses, shipping } };
  const { text, html } = orderPlacedLetter(store, addressed, somePayments(), null);
  for (const part of [text, html]) {
    expect(part).not.toContain("evil.example");
    expect(part).not.toContain("https://evil");
    expect(part).toContain("Dr. Ambedkar Road, No. 4.5");
  }
});

test("mails omit contact details if the shop has none", () => {
  const silent = aStore({ contact: { email: null, phone: null, whatsapp: null } });
  const { text } = emailChangedLetter(silent, { name: "Asha", changed_at: later });
  expect(text).toContain("please tell us right away.");
});

test("links in mails keep the path of the storefront's URL and have no double slash", () => {
  const at = (storefront_url: string) => storefrontLink({ storefront_url }, "/x", { token: "a b" });
  expect(at("https://shop.example.com/")).toBe("https://shop.example.com/x?token=a+b");
  expect(at("https://example.com/shop")).toBe("https://example.com/shop/x?token=a+b");
});

describe("a mailbox in a mail header", () => {
  test("has quoted special characters", () => {
    expect(mailbox(String.raw`A "B" \ <c@d>`, "no-reply@example.com")).toBe(
      String.raw`"A \"B\" \\ <c@d>" <no-reply@example.com>`,
    );
  });

  test("encodes non-ASCII names in encoded words of at most 75 bytes without splitting characters", () => {
    const name = "फर्नीचर की दुकान 🛋️ ".repeat(4).trim();
    const [words = ""] = mailbox(name, "a@example.com").split(" <");
    const parts = words.split(" ");
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(75);
    const decoded = parts.map((part) => Buffer.from(part.slice(10, -2), "base64").toString());
    expect(decoded.join("")).toBe(name);
    expect(decoded.join("")).not.toContain("\uFFFD");
  });
});
