import { expect, test } from "vitest";
import { MailEvent, blockedBy } from "#functions/on-change/mail-event.ts";

const complaint = (complaintFeedbackType: string | null | undefined, ...addresses: string[]) =>
  blockedBy(
    MailEvent.parse({
      eventType: "Complaint",
      complaint: {
        complainedRecipients: addresses.map((emailAddress) => ({ emailAddress })),
        complaintFeedbackType,
      },
    }),
  ).emails;

test.each([undefined, null, "abuse", "fraud", "virus", "other", "auth-failure"])(
  "a complaint of the type %s blocks the address",
  (type) => {
    expect(complaint(type, "Asha <ASHA@example.com>")).toEqual(["asha@example.com"]);
  },
);

test("a report that a mail is no spam blocks nobody", () => {
  expect(complaint("not-spam", "asha@example.com")).toEqual([]);
});

test("a recipient that is no address of ours is left out, and the others are blocked", () => {
  const bounce = {
    eventType: "Bounce",
    bounce: {
      bounceType: "Permanent",
      bouncedRecipients: ["undisclosed-recipients:;", "", "asha@example.com"].map(
        (emailAddress) => ({ emailAddress }),
      ),
    },
  };
  expect(blockedBy(MailEvent.parse(bounce)).emails).toEqual(["asha@example.com"]);
  expect(complaint("abuse", "nobody", "asha@example.com")).toEqual(["asha@example.com"]);
});
