import { describe, expect, test } from "vitest";
import { plusMonths } from "#shared/domain/base/day.ts";
import type { OrderItem, OrderRecord } from "#shared/domain/order/order.ts";
import type { OrderReturn } from "#shared/domain/order/returns/order-return.ts";
import { ReturnInput } from "#shared/domain/order/returns/return-input.ts";
import {
  mayReturn,
  returnProblems,
  returnableLines,
} from "#shared/domain/order/returns/return-policy.ts";
import { aReturn } from "#test/support/shop/order-record.ts";
import { anId, someSettings, noon } from "#test/support/shop/commerce.ts";
import { aChange, aRecord, aShipment } from "#test/support/shop/order-record.ts";

const line = anId("line", 1);
const settings = someSettings();

interface Story {
  readonly item?: Partial<OrderItem>;
  /** Units by the day of their delivery. */
  readonly delivered?: Readonly<Record<string, number>>;
  readonly returns?: readonly OrderReturn[];
  readonly cameBack?: number;
  readonly paidBack?: number;
}

/** An order of three units of one line. */
function anOrder({ item, delivered = { "2026-11-10": 3 }, returns = [], ...gone }: Story = {}) {
  const { cameBack = 0, paidBack = 0 } = gone;
  const shipments = Object.entries(delivered).map(([day, quantity]) =>
    aShipment({
      id: `shp_${day}`,
      status: "delivered",
      delivered_at: `${day}T06:00:00.000Z`,
      items: [{ id: line, quantity }],
    }),
  );
  const came_back = cameBack > 0 ? [{ id: line, quantity: cameBack, undelivered: false }] : [];
  const paid_back = paidBack > 0 ? [{ id: line, quantity: paidBack }] : [];
  const changes = cameBack + paidBack > 0 ? [aChange({ came_back, paid_back })] : [];
  const rows = { shipments, returns, changes };
  return aRecord({ status: "delivered" }, rows, [{ quantity: 3, line_total: 3_000, ...item }]);
}

const on = (day: string) => ({ settings, now: new Date(`${day}T06:00:00.000Z`) });

/** What is wrong with a request, without the path's `items.0`. */
function problemsOf(
  record: OrderRecord,
  asked: object,
  { day = "2026-11-20", kind = "return", byStaff = false } = {},
): string[] {
  const input = ReturnInput.parse({
    kind,
    items: [{ id: line, quantity: 1, reason: "changed-mind", ...asked }],
  });
  return returnProblems(record, input, on(day), byStaff).map(
    ({ path, message }) => `${path.replace("items.0.", "")}: ${message}`,
  );
}

describe("the window", () => {
  test("includes the last day of the shop's window, and no day after it", () => {
    expect(problemsOf(anOrder(), {}, { day: "2026-11-24" })).toEqual([]);
    expect(problemsOf(anOrder(), {}, { day: "2026-11-25" })).toEqual([
      "quantity: It could be returned until 2026-11-24.",
    ]);
  });

  test("runs from each unit's own delivery", () => {
    const record = anOrder({ delivered: { "2026-11-01": 1, "2026-11-15": 2 } });
    expect(problemsOf(record, { quantity: 2 })).toEqual([]);
    expect(problemsOf(record, { quantity: 3 })).toEqual([
      "quantity: Only 2 of its units can still be returned.",
    ]);
  });

  test("counts units that are back as those that were delivered first", () => {
    const record = anOrder({ delivered: { "2026-11-01": 1, "2026-11-15": 2 }, cameBack: 1 });
    expect(problemsOf(record, { quantity: 2 })).toEqual([]);
  });

  test("ends by the days of the shop's timezone", () => {
    const late = { settings, now: new Date("2026-11-24T18:29:00.000Z") };
    const tooLate = { settings, now: new Date("2026-11-24T18:31:00.000Z") };
    expect(mayReturn(anOrder(), late, "return")).toBe(true);
    expect(mayReturn(anOrder(), tooLate, "return")).toBe(false);
  });
});

describe("units", () => {
  test.each([
    ["not delivered", { delivered: {} }, "quantity: It was not delivered yet."],
    [
      "in another open return",
      { returns: [aReturn({ items: [{ id: line, quantity: 3 }] })] },
      "quantity: All of its units are being returned, are back or were refunded.",
    ],
    [
      "refunded and kept by the buyer",
      { paidBack: 3 },
      "quantity: All of its units are being returned, are back or were refunded.",
    ],
  ])("that are %s cannot be returned", (_what, story, refusal) => {
    expect(problemsOf(anOrder(story), {})).toEqual([refusal]);
    expect(problemsOf(anOrder(story), {}, { byStaff: true })).toEqual([refusal]);
  });

  test("beyond those that are free are refused with their number", () => {
    const returns = [aReturn({ items: [{ id: line, quantity: 2 }] })];
    expect(problemsOf(anOrder({ returns }), { quantity: 2 })).toEqual([
      "quantity: Only 1 of its units can be returned.",
    ]);
  });

  test("that the shop has refused or repaired are free once they are sent back", () => {
    const inspection = { accepted: 0, goods: "restock", refused: 3, missing: 0 } as const;
    const closed = { status: "closed", items: [{ id: line, quantity: 3, inspection }] } as const;
    const withShop = anOrder({ returns: [aReturn(closed)] });
    expect(problemsOf(withShop, {})).toHaveLength(1);
    const sent_back_at = noon.toISOString();
    expect(problemsOf(anOrder({ returns: [aReturn({ ...closed, sent_back_at })] }), {})).toEqual(
      [],
    );
  });

  test.each(["declined", "cancelled", "closed"] as const)(
    "of a return that is %s can be in another one",
    (status) => {
      const returns = [aReturn({ status, items: [{ id: line, quantity: 3 }] })];
      expect(problemsOf(anOrder({ returns }), { quantity: 3 })).toEqual([]);
    },
  );
});

describe("terms", () => {
  const made = { made_to_order: true };

  test("keep made-to-order goods with their buyer, unless something is wrong with them", () => {
    const refusal =
      "id: It was made for you, so it can come back only if something is wrong with it.";
    expect(problemsOf(anOrder({ item: made }), {})).toEqual([refusal]);
    expect(problemsOf(anOrder({ item: made }), { reason: "wrong-item" })).toEqual([]);
    expect(problemsOf(anOrder({ item: made }), {}, { byStaff: true })).toEqual([]);
  });

  test("ask for a picture where the reason needs one", () => {
    const asked = { reason: "damaged" };
    expect(problemsOf(anOrder(), asked)).toEqual(["upload_ids: Please add a picture of it."]);
    expect(problemsOf(anOrder(), { ...asked, upload_ids: [anId("upl")] })).toEqual([]);
  });

  test("refuse an unknown reason and an unknown line", () => {
    expect(problemsOf(anOrder(), { reason: "no-idea" })).toEqual([
      "reason: The selected reason is invalid.",
    ]);
    expect(problemsOf(anOrder(), { id: anId("line", 9) })).toEqual([
      "id: The order has no line with this id.",
    ]);
  });

  test("let staff go beyond the window and the pictures", () => {
    const late = { day: "2027-11-25", byStaff: true };
    expect(problemsOf(anOrder(), { reason: "damaged" }, late)).toEqual([]);
  });
});

describe("a warranty", () => {
  const item = {
    warranty: [
      { component: "Fabric", months: 12 },
      { component: "Frame", months: 60 },
    ],
  };
  const claim = { reason: "wrong-item" };
  const later = { kind: "warranty", day: "2027-12-01" };

  test("is judged by the months of the component", () => {
    const record = anOrder({ item });
    expect(problemsOf(record, { ...claim, component: "Frame" }, later)).toEqual([]);
    expect(problemsOf(record, { ...claim, component: "Fabric" }, later)).toEqual([
      "quantity: Its warranty ended on 2027-11-10.",
    ]);
    expect(problemsOf(record, claim, later)).toEqual([]);
    expect(problemsOf(record, { ...claim, component: "Leg" }, later)).toEqual([
      "component: This component has no warranty.",
    ]);
  });

  test("covers no reason of the customer's, and nothing without one", () => {
    expect(problemsOf(anOrder({ item }), {}, later)).toEqual([
      "reason: The warranty does not cover this reason.",
    ]);
    expect(problemsOf(anOrder(), claim, later)).toEqual(["id: It has no warranty."]);
  });

  test("ends in a month without its day on that month's last day", () => {
    expect(plusMonths("2026-01-31", 1)).toBe("2026-02-28");
    expect(plusMonths("2024-02-29", 12)).toBe("2025-02-28");
    expect(plusMonths("2026-11-30", 3)).toBe("2027-02-28");
    expect(plusMonths("2026-11-15", 14)).toBe("2028-01-15");
  });
});

test("a line shows what can be returned of it, and until when", () => {
  const item = { warranty: [{ component: "Frame", months: 60 }] };
  const record = anOrder({ item, delivered: { "2026-11-01": 1, "2026-11-15": 2 } });
  expect(returnableLines(record, on("2026-11-20"))).toEqual([
    {
      id: line,
      name: record.order.items[0]!.name,
      quantity: 3,
      returnable: 2,
      return_until: "2026-11-29",
      warranty: [{ component: "Frame", until: "2031-11-15" }],
    },
  ]);
});
