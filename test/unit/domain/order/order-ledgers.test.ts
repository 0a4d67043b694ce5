import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Story, lineIds, placed } from "#test/support/shop/order-story.ts";
import { someBeginning, someStep } from "./order-story-steps.ts";

test("for any story, units, stock, money and documents agree at every step, and the order can end", () => {
  const ended = new Set(["completed", "cancelled", "expired", "returned"]);
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.constantFrom(null, 700),
      fc.constantFrom(1, 50, 100),
      someBeginning,
      fc.array(someStep, { maxLength: 30 }),
      (inCash, deposit, rounding, beginning, steps) => {
        const lines = [
          { quantity: 3, line_total: 3_001, tax: 229 },
          { quantity: 1, line_total: 777, tax: 59 },
        ];
        const story = new Story(placed(lines, inCash, inCash ? null : deposit, rounding));
        if (beginning !== "placed") story.send();
        if (beginning !== "placed" && beginning !== "on_its_way") {
          story.ship(0, { status: "delivered" });
        }
        if (beginning === "settled") story.payCash();
        for (const step of steps) {
          step(story);
          story.check();
        }
        story.finish();
        story.check();
        expect([...ended]).toContain(story.record.order.status);
      },
    ),
    { numRuns: 400 },
  );
});

test("the slot for a second visit is free as soon as the rest is taken off, even while the first is on its way", () => {
  const story = new Story(placed([{ quantity: 2, line_total: 2_000, tax: 152 }], true, null));
  const one = [{ id: lineIds[0]!, quantity: 1 }];
  story.move("ready_to_dispatch");
  story.pack(one);
  story.ship(0, { status: "packed" });
  story.ship(0, { status: "out_for_delivery" });
  story.plan();
  expect(story.record.order.slot).toMatchObject({ has_left: false });
  story.change({ take_off: one.map((units) => ({ ...units, goods: "restock" as const })) });
  story.check();
  expect(story.record.order.slot).toBeNull();
});
