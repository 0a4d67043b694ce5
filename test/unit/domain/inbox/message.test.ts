import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newId } from "#shared/domain/base/ids.ts";
import {
  MessageState,
  messageMachine,
  queuedMessage,
  statesBefore,
} from "#shared/domain/inbox/message.ts";
import { canMove } from "#shared/domain/order/status/order-states.ts";

const ladder = ["queued", "sent", "failed", "delivered", "read"] as const;
const now = new Date("2026-11-21T09:00:00.000Z");

test("a message's status can change to every later status and to no earlier one", () => {
  expect([...ladder].toSorted()).toEqual([...MessageState.options].toSorted());
  for (const [height, from] of ladder.entries()) {
    for (const [other, to] of ladder.entries()) {
      expect([from, to, canMove(messageMachine, from, to)]).toEqual([from, to, other > height]);
    }
  }
});

test("message statuses that are applied in any order result in the most advanced status", () => {
  const anyNews = fc.array(fc.constantFrom(...ladder.slice(1)), { maxLength: 12 });
  fc.assert(
    fc.property(anyNews, (news) => {
      const state = news.reduce<MessageState>(
        (state, next) => (statesBefore(next).includes(state) ? next : state),
        "queued",
      );
      const furthest = Math.max(0, ...news.map((next) => ladder.indexOf(next)));
      expect(state).toBe(ladder[furthest]);
    }),
  );
});

describe("a message from staff", () => {
  const context = {
    id: newId("msg", now),
    conversation_id: newId("conv", now),
    sent_by: newId("stf", now),
    now,
  };

  test("is queued with a text preview of its content", () => {
    expect(queuedMessage({ text: "Hello" }, context)).toMatchObject({
      state: "queued",
      kind: "text",
      text: "Hello",
      template: null,
    });
    const template = { name: "order_update", language: "en", parameters: ["Asha", "FS-1"] };
    expect(queuedMessage({ template }, context)).toMatchObject({
      state: "queued",
      kind: "template",
      text: "Template order_update: Asha, FS-1",
      template,
    });
  });
});
