import * as fc from "fast-check";
import { amountToPay } from "#shared/domain/payment/owing.ts";
import { type Story, addedLine, lineIds } from "#test/support/shop/order-story.ts";

const someUnits = fc.record({
  id: fc.constantFrom(...lineIds, addedLine),
  quantity: fc.integer({ min: 1, max: 2 }),
});
const then = fc.constantFrom("resend" as const, "take_back" as const);
const goods = fc.constantFrom("restock" as const, "lost" as const);

/** By which means money goes back; by default as it came. */
const refundedBy = fc.constantFrom(undefined, undefined, "cod" as const);

/** Other deliveries, dearer and cheaper than the one that was agreed. */
const someDeliveries = [
  { shipping_method: "white_glove" },
  { shipping_method: "pickup" },
  { shipping_method: "standard", shipping: 400 },
  { shipping: 33 },
] as const;

/** Something that happens to an order. */
export type StoryStep = (story: Story) => void;

/** How far an order has come before its story begins. */
export const someBeginning = fc.constantFrom(
  "placed" as const,
  "on_its_way" as const,
  "delivered" as const,
  "settled" as const,
);

/** One step of a story. */
export const someStep: fc.Arbitrary<StoryStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: 1, max: 5_000 })
      .map((amount) => (story: Story) => story.pay(amount)),
  },
  {
    weight: 3,
    arbitrary: fc.constant((story: Story) =>
      story.pay(Math.max(1, amountToPay(story.record.order))),
    ),
  },
  { weight: 2, arbitrary: fc.constant((story: Story) => story.payCash()) },
  { weight: 2, arbitrary: fc.constant((story: Story) => story.payByUpi()) },
  { weight: 3, arbitrary: fc.constant((story: Story) => story.payOnline()) },
  {
    weight: 3,
    arbitrary: fc
      .record({
        position: fc.nat(5),
        state: fc.constantFrom("open" as const, "won" as const, "lost" as const),
      })
      .map(
        ({ position, state }) =>
          (story: Story) =>
            story.dispute(position, state),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        position: fc.nat(5),
        state: fc.constantFrom("succeeded" as const, "failed" as const),
      })
      .map(
        ({ position, state }) =>
          (story: Story) =>
            story.answerRefund(position, state),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.nat(5).map((position) => (story: Story) => story.void(position)),
  },
  {
    weight: 2,
    arbitrary: fc
      .integer({ min: 1, max: 5_000 })
      .map((amount) => (story: Story) => story.takeCheque(amount)),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        position: fc.nat(5),
        state: fc.constantFrom("cleared" as const, "bounced" as const),
      })
      .map(
        ({ position, state }) =>
          (story: Story) =>
            story.settle(position, state),
      ),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        items: fc.array(someUnits, { maxLength: 1 }),
        amount: fc.option(fc.integer({ min: 1, max: 4_000 }), { nil: undefined }),
        restock: fc.boolean(),
        keep: fc.boolean(),
        pay_again: fc.constantFrom(false, false, true),
        method: refundedBy,
      })
      .map(({ amount, ...input }) => (story: Story) => {
        story.refund({
          ...input,
          items: story.named(input.items),
          ...(amount !== undefined && { amount }),
        });
      }),
  },
  {
    weight: 1,
    arbitrary: fc.constant((story: Story) =>
      story.refund({ amount: story.record.order.received || 1 }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        off: fc.array(someUnits, { maxLength: 1 }),
        back: fc.array(someUnits, { maxLength: 1 }),
        goods,
        reduce: fc.array(
          fc.record({
            id: fc.constantFrom(null, ...lineIds, addedLine),
            amount: fc.integer({ min: 1, max: 900 }),
          }),
          { maxLength: 2 },
        ),
        refund: fc.record({
          when: fc.constantFrom("now" as const, "later" as const),
          method: refundedBy,
          reference: fc.constant("R"),
        }),
        added: fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 1 }),
        delivery: fc.constantFrom({}, {}, ...someDeliveries),
      })
      .map(({ off, back, goods: to, reduce, refund, added, delivery }) => (story: Story) => {
        const { length } = [off, back, reduce, added, Object.keys(delivery)].flat();
        if (length === 0) return;
        story.change(
          {
            ...delivery,
            take_off: story
              .named(off)
              .map((units) => ({ ...units, goods: to === "lost" ? "scrap" : to })),
            take_back: story.named(back).map((units) => ({ ...units, goods: to })),
            reduce: story.named(reduce),
            refund,
          },
          added,
        );
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        price: fc.integer({ min: 1, max: 3_000 }),
        less: fc.constantFrom(0, 0, 100, 333),
        method: refundedBy,
      })
      .map(
        ({ price, less, method }) =>
          (story: Story) =>
            story.swapAll(price, less, method),
      ),
  },
  { weight: 3, arbitrary: fc.constant((story: Story) => story.move("ready_to_dispatch")) },
  {
    weight: 3,
    arbitrary: someUnits.map((units) => (story: Story) => story.pack(story.named([units]))),
  },
  { weight: 2, arbitrary: fc.constant((story: Story) => story.pack()) },
  { weight: 3, arbitrary: fc.constant((story: Story) => story.plan()) },
  {
    weight: 14,
    arbitrary: fc
      .record({
        position: fc.nat(2),
        status: fc.constantFrom(
          "packed" as const,
          "out_for_delivery" as const,
          "delivered" as const,
          "delivery_failed" as const,
        ),
      })
      .map(
        ({ position, status }) =>
          (story: Story) =>
            story.ship(position, { status }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ position: fc.nat(2), then, goods })
      .map(({ position, ...back }) => (story: Story) => {
        story.ship(position, { status: "returned_to_origin", ...back });
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ position: fc.nat(2), units: someUnits, then, goods })
      .map(({ position, units, ...back }) => (story: Story) => {
        story.ship(position, { status: "delivered", back: story.named([{ ...units, ...back }]) });
      }),
  },
  { weight: 1, arbitrary: fc.nat(500).map((keep) => (story: Story) => story.cancel(keep)) },
  { weight: 1, arbitrary: fc.constant((story: Story) => story.expire()) },
);
