import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Subscription,
  type SubscriptionRequest,
  confirmedSubscription,
  endedSubscription,
  requestedSubscription,
} from "#shared/domain/marketing/subscription.ts";
import { noon } from "#test/support/shop/commerce.ts";

const hours = (count: number) => new Date(noon.getTime() + count * 3_600_000);

const aRequest = (at: Date, overrides: Partial<SubscriptionRequest> = {}): SubscriptionRequest => ({
  email: "asha@example.com",
  name: null,
  source: "footer",
  at: at.toISOString(),
  isProven: false,
  ...overrides,
});

const request = (before: Subscription | undefined, at: Date, overrides = {}) =>
  requestedSubscription(before, aRequest(at, overrides), "token");

describe("a request for a subscription", () => {
  test("causes one confirmation mail a day", () => {
    const first = request(undefined, noon);
    expect(first).toMatchObject({ isLetterDue: true, subscription: { status: "pending" } });
    const second = request(first.subscription, hours(23));
    expect(second.isLetterDue).toBe(false);
    expect(request(second.subscription, hours(25)).isLetterDue).toBe(true);
  });

  test("subscribes the verified email of a customer without a confirmation mail", () => {
    const { subscription, isLetterDue } = request(undefined, noon, { isProven: true });
    expect([subscription.status, isLetterDue]).toEqual(["subscribed", false]);
  });

  test("mails nobody who is subscribed", () => {
    const subscribed = confirmedSubscription(request(undefined, noon).subscription, hours(1));
    expect(request(subscribed, hours(100))).toEqual({
      subscription: subscribed,
      isLetterDue: false,
    });
  });

  test("asks for a new confirmation after unsubscribing, and keeps the token of the unsubscribe links", () => {
    const ended = endedSubscription(
      confirmedSubscription(request(undefined, noon).subscription, hours(1)),
      hours(2),
    );
    const again = requestedSubscription(ended, aRequest(hours(30)), "another");
    expect(again).toMatchObject({
      isLetterDue: true,
      subscription: { status: "pending", token: "token", epoch: 2 },
    });
  });

  test("has no effect if it is processed again later, however the subscription has changed since", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("ask", "prove", "confirm", "end"), { maxLength: 8 }),
        fc.boolean(),
        (steps, isProven) => {
          const first = request(undefined, noon, { isProven }).subscription;
          const last = steps.reduce((subscription, step, position) => {
            const at = hours(30 * (position + 1));
            if (step === "confirm") return confirmedSubscription(subscription, at);
            if (step === "end") return endedSubscription(subscription, at);
            return request(subscription, at, { isProven: step === "prove" }).subscription;
          }, first);
          const replayed = request(last, noon, { isProven });
          expect(replayed).toEqual({ subscription: last, isLetterDue: false });
        },
      ),
    );
  });
});
