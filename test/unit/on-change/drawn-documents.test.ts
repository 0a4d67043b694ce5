import { describe, expect, test } from "vitest";
import { drawDocument } from "#shared/documents/draw-document.ts";
import { openFonts } from "#shared/documents/fonts.ts";
import {
  creditNoteDocument,
  invoiceDocument,
  orderConfirmation,
} from "#shared/documents/order-document.ts";
import { voucherDocument } from "#shared/documents/voucher-document.ts";
import type { VoucherType } from "#shared/domain/order/invoice/vouchers.ts";
import { explaining, unprintable } from "#shared/documents/unprintable.ts";
import type { PrintedDocument } from "#shared/documents/printed-document.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import { changeOf } from "#shared/domain/order/order-change.ts";
import { withCredit } from "#shared/domain/order/invoice/credit-supply.ts";
import { wholeSupply } from "#shared/domain/order/invoice/invoiced-supplies.ts";
import type { PricedLine } from "#shared/domain/pricing/priced-line.ts";
import type { PricingRequest } from "#shared/domain/pricing/totals.ts";
import {
  aCouponCase,
  aPricedLine,
  aTax,
  anAddress,
  anId,
  noon,
  someSettings,
} from "#test/support/shop/commerce.ts";
import { aChange, aCharge, aDeposit, aRecord } from "#test/support/shop/order-record.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { aSlot } from "#test/support/shop/settings.ts";

const settings = someSettings();
const due = { type: "invoice", number: "FS/26-27/000123", issued_on: "2026-11-21" } as const;

const someLines = (count: number, overrides: Partial<PricedLine> = {}) =>
  Array.from({ length: count }, (_, index) =>
    aPricedLine({ id: anId("line", index + 1), quantity: 1 + (index % 3), ...overrides }),
  );
const anInvoice = (lines: PricedLine[], pricing: Partial<PricingRequest> = {}): PrintedDocument =>
  invoiceDocument(aPlacedOrder({}, { lines, ...pricing }), due, settings);

async function pagesOf(document: PrintedDocument): Promise<number> {
  const bytes = await drawDocument(document, openFonts(), noon);
  const text = Buffer.from(bytes).toString("latin1");
  expect(text.slice(0, 5)).toBe("%PDF-");
  return text.match(/\/Type \/Page\b/g)?.length ?? 0;
}

/** A total as a number of minor units. */
const inPaise = (text: string) => Number(text.replaceAll(/[^\d−]/g, "").replace("−", "-"));

describe("the content of a document", () => {
  test.each([
    ["inclusive prices", {}],
    ["exclusive prices", { settings: someSettings({ tax: aTax({ prices_include_tax: false }) }) }],
    ["a coupon", { coupon: aCouponCase() }],
  ])("has totals that add up with %s", (_name, pricing: Partial<PricingRequest>) => {
    const { totals, lines } = anInvoice(someLines(5), pricing);
    const parts = totals.slice(0, -1).filter(([label]) => label !== "Of which tax");
    const sum = parts.reduce((total, [, value]) => total + inPaise(value), 0);
    expect(sum).toBe(inPaise(totals.at(-1)?.[1] ?? ""));
    expect(lines).toHaveLength(5);
  });

  test("rounds off among the sums, before the tax that the total includes", () => {
    const order = aPlacedOrder({}, { lines: someLines(2) });
    const supplied = { ...wholeSupply(order), rounding: -27 };
    const { totals } = invoiceDocument({ ...order, invoice: due, supplied }, due, settings);
    expect(totals.map(([label]) => label).slice(-3)).toEqual([
      "Round off",
      "Of which tax",
      "Total",
    ]);
    expect(totals.at(-3)?.[1]).toBe("−₹0.27");
  });

  test("shows no tax where none is charged", () => {
    const zones = [
      {
        code: "karnataka",
        name: "Karnataka",
        country: "IN",
        postal_prefixes: [],
        classes: { standard: [] },
      },
    ];
    const untaxed = someSettings({ tax: aTax({ zones }) });
    const { title, taxes, lines } = anInvoice(someLines(1), { settings: untaxed });
    expect([title, taxes]).toEqual(["Invoice", null]);
    expect(lines).toMatchObject([{ taxable: "", tax: "" }]);
  });

  test("of an order confirmation says that it is no tax invoice", () => {
    const number = "FS-7K3M-92QX-4HT8";
    const document = orderConfirmation(aPlacedOrder(), { ...due, number }, settings);
    expect(document).toMatchObject({ title: "Order confirmation", number });
    expect(document.notes.join()).toContain("not a tax invoice");
  });

  test("of a confirmation is the order as it was placed, whatever has changed since", () => {
    const order = aPlacedOrder({}, { lines: someLines(2) });
    const { addresses } = order;
    const moved = { ...addresses, shipping: { ...addresses.shipping, line1: "9 Church Street" } };
    const slot = { ...aSlot(), confirm_by: order.placed_at, has_left: false };
    const once = changeOf(aRecord(order), { set: { addresses: moved } }, noon).order;
    const twice = changeOf(aRecord(once), { set: { slot } }, noon).order;
    expect(twice.placed).toMatchObject({ addresses, slot: null });
    const added = { ...order.items[0]!, id: anId("line", 9), change_id: anId("chg") };
    const changed = { ...twice, items: [...twice.items, added] };
    const of = (from: StoredOrder) => orderConfirmation(from, due, settings);
    expect(of(changed)).toEqual(of(order));
  });

  test("of an order confirmation names the order's slot, or else the promised dates", () => {
    const order = aPlacedOrder();
    const slot = { ...aSlot(), confirm_by: order.placed_at, has_left: false };
    const whenOf = (of: StoredOrder) => orderConfirmation(of, due, settings).facts.at(-1);
    expect(whenOf({ ...order, slot })).toEqual([
      "Delivery",
      "24 November 2026, Morning (09:00–13:00)",
    ]);
    expect(whenOf(order)).toEqual(["Delivery", expect.stringContaining(" to ")]);
  });

  test("of a credit note names the invoice, the credited units and the reason", () => {
    const invoice = { number: "FS/26-27/000123", issued_on: "2026-11-21" };
    const order = { ...aPlacedOrder({}, { lines: someLines(2) }), invoice };
    const [, second] = order.items;
    const taken_off = [{ id: second?.id ?? "", quantity: 1 }];
    const { credit = wholeSupply(order) } = withCredit(
      aRecord(order, {}, order.items),
      aChange({ taken_off }),
      0,
    );
    const named = { id: "txn_1", credit, reason: "Items were returned or not delivered" };
    const document = creditNoteDocument(order, { ...due, type: "credit_note" }, named, settings);
    expect(document.facts).toContainEqual(["Against invoice", invoice.number]);
    expect(document.lines).toMatchObject([{ quantity: "1" }]);
    expect(document.notes).toEqual(["Reason: Items were returned or not delivered."]);
  });

  test("of a credit note calls what the shop keeps of returned units deducted, and no discount", () => {
    const invoice = { number: "FS/26-27/000123", issued_on: "2026-11-21" };
    const order = { ...aPlacedOrder({}, { lines: someLines(1) }), invoice };
    const [line] = order.items;
    const came_back = [{ id: line!.id, quantity: 1, undelivered: false }];
    const kept = [{ id: line!.id, amount: 50_000 }];
    const { credit = wholeSupply(order) } = withCredit(
      aRecord(order, {}, order.items),
      aChange({ came_back, kept }),
      0,
    );
    const named = { credit, reason: "Items were returned or not delivered" };
    const document = creditNoteDocument(order, { ...due, type: "credit_note" }, named, settings);
    expect(document).toMatchObject({ discountHead: "Deducted", lines: [{ discount: "500.00" }] });
    expect(document.totals).toContainEqual(["Deducted", "−₹500.00"]);
  });

  test("of a credit note over several invoices names each of them, in one line", async () => {
    const placed = aPlacedOrder({}, { lines: someLines(3) });
    const { lines, shipping } = wholeSupply(placed);
    const none = { amount: 0, taxes: shipping.taxes.map(() => 0) };
    const supplement = (index: number, issued_on: string) => ({
      supplied: { lines: lines.slice(index, index + 1), shipping: none },
      invoice: { number: `FS/26-27/00012${3 + index}`, issued_on },
    });
    const order = {
      ...placed,
      invoice: { number: "FS/26-27/000123", issued_on: "2026-11-21" },
      supplied: { lines: lines.slice(0, 1), shipping },
      supplements: {
        shp_1: supplement(1, "2026-11-24"),
        shp_2: supplement(2, "2026-11-25"),
      },
    };
    const against = (of: typeof lines) => {
      const credit = { lines: of, shipping: none };
      const named = { credit, reason: "Items were returned or not delivered" };
      return creditNoteDocument(order, { ...due, type: "credit_note" }, named, settings);
    };
    const document = against(lines.slice(0, 2));
    expect(document.facts.filter(([label]) => label.includes("nvoice"))).toEqual([
      [
        "Against invoices",
        "FS/26-27/000123 of 21 November 2026, FS/26-27/000124 of 24 November 2026",
      ],
    ]);
    expect(await pagesOf(document)).toBe(1);
    expect(against(lines.slice(1, 2)).facts).toContainEqual(["Against invoice", "FS/26-27/000124"]);
  });
});

describe("the content of a document of an order that is paid in parts", () => {
  const lines = someLines(2);
  const placed = aPlacedOrder({}, { lines });
  const { grand_total } = placed.totals;
  const amount = Math.round(grand_total / 3);
  const inParts = { ...placed, deposit: aDeposit({ amount }) };
  const paid = { ...aCharge({ amount, at: noon.toISOString() }), advance: amount };
  const record: OrderRecord = { order: inParts, rows: { ...aRecord().rows, transactions: [paid] } };
  const voucherOf = (type: VoucherType, of: number, from = record) => {
    const receipt = { number: "FS/26-27/R00001", issued_on: "2026-11-21" };
    const number = type === "receipt_voucher" ? receipt.number : "FS/26-27/V00001";
    const advance = { id: "txn_1", type, amount: of, receipt };
    return voucherDocument(from, { ...due, type, number }, advance, settings);
  };

  test.each([
    ["receipt_voucher", "Receipt voucher", amount],
    ["refund_voucher", "Refund voucher", amount - 1],
  ] as const)("of a %s shows the tax in its amount", (type, title, of) => {
    const document = voucherOf(type, of);
    expect(document.title).toBe(title);
    expect(document.number.length).toBeLessThanOrEqual(16);
    expect(inPaise(document.totals.at(-1)?.[1] ?? "")).toBe(of);
    const columns = document.taxes?.rows.at(-1) ?? [];
    const [taxable, tax] = [columns[1], columns.at(-1)].map((text) => inPaise(text ?? ""));
    expect(taxable! + tax!).toBe(of);
    // The order's rate is 18 %; each line is rounded on its own.
    expect(Math.abs(tax! - (of * 18) / 118)).toBeLessThan(lines.length + 1);
    expect(document.facts).toContainEqual(["Place of supply", "Karnataka (29)"]);
  });

  test("of a voucher shows what was ordered when the deposit was received", () => {
    const [first] = placed.items;
    const swap = (at: string): OrderRecord => {
      const change_id = anId("chg");
      const added = { ...first!, id: anId("line", 90), change_id, added_at: at };
      const off = { id: first!.id, quantity: first!.quantity };
      return {
        order: { ...inParts, items: [...inParts.items, added] },
        rows: { ...record.rows, changes: [aChange({ id: change_id, at, taken_off: [off] })] },
      };
    };
    const taxesOf = (of: OrderRecord) => voucherOf("receipt_voucher", amount, of).lines;
    const later = new Date(noon.getTime() + 1).toISOString();
    expect(taxesOf(swap(later))).toEqual(taxesOf(record));
    expect(taxesOf(swap(noon.toISOString()))).not.toEqual(taxesOf(record));
  });

  test("of an invoice of a tax-free order is a tax invoice if what was added is taxed", () => {
    const untaxed = { ...placed, totals: { ...placed.totals, tax: 0 } };
    expect(invoiceDocument(untaxed, due, settings).title).toBe("Tax invoice");
  });

  test("of a refund voucher names the receipt", () => {
    expect(voucherOf("refund_voucher", amount).facts).toContainEqual([
      "Against receipt",
      "FS/26-27/R00001",
    ]);
  });

  test("of a confirmation shows the parts, and of an invoice what is paid", () => {
    const number = "FS-7K3M-92QX-4HT8";
    const parts = orderConfirmation(inParts, { ...due, number }, settings).payments;
    expect(parts.map(([label]) => label)).toEqual(["Deposit", "Balance before dispatch"]);
    expect(parts.reduce((sum, [, value]) => sum + inPaise(value), 0)).toBe(grand_total);
    const paid = { ...inParts, received: amount };
    const received = invoiceDocument({ ...paid, payment_method: "cod" }, due, settings).payments;
    expect(received.map(([label]) => label)).toEqual(["Paid", "To be paid on delivery"]);
    expect(received.map(([, value]) => inPaise(value))).toEqual([amount, grand_total - amount]);
    const all = invoiceDocument({ ...inParts, received: grand_total }, due, settings).payments;
    expect(all.map(([, value]) => inPaise(value))).toEqual([grand_total]);
    expect(invoiceDocument(placed, due, settings).payments).toEqual([]);
  });
});

describe("a drawn document", () => {
  test.each([
    [1, 1],
    [40, 3],
    [100, 6],
  ])("of %i lines has at most %i pages", async (count, pages) => {
    // A cart takes 50 lines; older orders and exchanges may have more.
    const order = aPlacedOrder({}, { lines: someLines(Math.min(count, 50)) });
    const items = Array.from({ length: count }, (_, index) => ({
      ...order.items[index % order.items.length]!,
      id: anId("line", index + 1),
    }));
    const drawn = await pagesOf(invoiceDocument({ ...order, items }, due, settings));
    expect(drawn).toBeGreaterThanOrEqual(Math.ceil(count / 40));
    expect(drawn).toBeLessThanOrEqual(pages);
  });

  test("ends even if a single text is longer than a page", async () => {
    const name = "A bench along the window, in oak. ".repeat(400);
    expect(await pagesOf(anInvoice(someLines(2, { name })))).toBeLessThanOrEqual(4);
  });

  test("says so if a name has letters that its font lacks", () => {
    const { regular } = openFonts();
    const named = (name: string) => {
      const document = anInvoice(someLines(1, { name }));
      const letters = unprintable(document, regular);
      return { letters, notes: explaining(document, letters).notes };
    };
    for (const name of ["Sofá, 3 seats – “Ayur” ₹\n½ × 2\u200d", "सागौन की लकड़ी का सोफ़ा"]) {
      expect(named(name)).toEqual({ letters: [], notes: [] });
    }
    for (const name of ["தமிழ்", "محمد", "王小明", "🛋️"]) {
      const { letters, notes } = named(name);
      expect(letters.length, name).toBeGreaterThan(0);
      expect(notes).toEqual(["Some letters cannot be printed here and appear as boxes."]);
    }
  });

  test("embeds a font with the letters of Devanagari names", async () => {
    const order = aPlacedOrder({}, { lines: someLines(1, { name: "सागौन की लकड़ी का सोफ़ा" }) });
    const billing = anAddress({ name: "श्रीमती कृष्णा क्षत्रिय" });
    const named = { ...order, addresses: { ...order.addresses, billing } };
    const document = invoiceDocument(named, due, settings);
    const { regular } = openFonts();
    for (const letter of `${billing.name}₹−–“”`) {
      expect(regular.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0), letter).toBe(true);
    }
    // A shaped text has fewer glyphs than characters: conjuncts are single glyphs.
    expect(regular.layout("क्षत्रिय").glyphs.length).toBeLessThan("क्षत्रिय".length);
    expect(await pagesOf(document)).toBe(1);
  });
});
