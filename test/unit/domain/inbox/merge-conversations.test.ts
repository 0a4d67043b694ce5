import { expect, test } from "vitest";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type Conversation,
  newConversation,
  conversationOfPerson,
  merged,
} from "#shared/domain/inbox/conversation.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const phone = "+919812345678";
const user_id = "IN.13491208655302741918";
const aConversation = (overrides: Partial<Conversation>): Conversation => ({
  ...newConversation({ phone: null, user_id: null }, { id: newId("conv", now), now }),
  ...overrides,
});
const none = { byPhone: undefined, byUserId: undefined, byFormerId: undefined };
const known = { phone, user_id };

test("a person without a conversation has none to continue", () => {
  expect(conversationOfPerson(known, none)).toBeUndefined();
});

test("a conversation learns the number or the user id that it lacks, and forgets neither", () => {
  const byPhone = aConversation({ phone });
  const byUserId = aConversation({ user_id });
  for (const found of [
    conversationOfPerson(known, { ...none, byPhone }),
    conversationOfPerson(known, { ...none, byUserId }),
  ]) {
    expect(found).toMatchObject({ kept: { phone, user_id }, other: undefined });
  }
  const both = aConversation({ phone, user_id });
  expect(conversationOfPerson({ phone: null, user_id }, { ...none, byUserId: both })).toMatchObject(
    { kept: { phone, user_id } },
  );
});

test("the number's conversation continues that of the user id", () => {
  const [byPhone, byUserId] = [aConversation({ phone }), aConversation({ user_id })];
  expect(conversationOfPerson(known, { ...none, byPhone, byUserId })).toEqual({
    kept: { ...byPhone, user_id },
    other: byUserId,
  });
});

test("a merged conversation has the more urgent status, all unread messages, and what either knew", () => {
  const kept = aConversation({ status: "resolved", unread_count: 2, name: null });
  const other = aConversation({
    status: "pending",
    unread_count: 3,
    name: "Asha",
    order_id: newId("ord", now),
    reply_window_expires_at: "2026-11-22T08:00:00.000Z",
  });
  const after = merged(kept, other);
  expect(after.kept).toMatchObject({
    status: "pending",
    unread_count: 5,
    name: "Asha",
    order_id: other.order_id,
    reply_window_expires_at: other.reply_window_expires_at,
    merging: [other.id],
  });
  expect(after.other).toMatchObject({
    merged_into: kept.id,
    name: null,
    order_id: null,
    unread_count: 0,
    last_message: null,
  });
});
