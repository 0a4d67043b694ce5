import { describe, expect, test } from "vitest";
import { signatureOf } from "#infra/local/stripe/webhooks.ts";
import { readNotice } from "#shared/payments/stripe-webhook.ts";

const secret = "whsec_standInOnThisMachineOnly";
const now = new Date("2026-11-21T09:00:00.000Z");
const seconds = now.getTime() / 1000;

const event = (object: object, id = "evt_1") =>
  JSON.stringify({ id, object: "event", type: "something.happened", data: { object } });
const intent = event({ object: "payment_intent", id: "pi_1", description: "Tëak" });

const notice = { id: "evt_1", paymentId: "pi_1" };
/** An event of Stripe's version 2 of events, as documented. */
const thin = JSON.stringify({
  id: "evt_test_65R9Ijk8dKEYZcXeRWn16R9A7j1FSQ3w3TGDPLLGSM4CW0",
  object: "v2.core.event",
  type: "v1.billing.meter.error_report_triggered",
  livemode: false,
  created: "2026-11-21T08:59:00.000Z",
  related_object: { id: "mtr_1", type: "billing.meter", url: "/v1/billing/meters/mtr_1" },
});

const read = (body: string | Buffer, signature: string | undefined, at = now) =>
  readNotice({ body, signature, secret, now: at });

describe("a Stripe webhook", () => {
  test.each([
    ["a payment", { object: "payment_intent", id: "pi_1" }, "pi_1"],
    ["a charge", { object: "charge", id: "ch_1", payment_intent: "pi_1" }, "pi_1"],
    ["a refund", { object: "refund", id: "re_1", payment_intent: "pi_1" }, "pi_1"],
    ["a charge without a payment", { object: "charge", id: "ch_1", payment_intent: null }, null],
    ["another kind of object", { object: "customer", id: "cus_1" }, null],
  ])(
    "is parsed into its payment id, or null if there is none: %s",
    async (_what, object, paymentId) => {
      const body = event(object);
      const notice = { id: "evt_1", paymentId };
      expect(await read(body, signatureOf(body, secret, seconds))).toEqual(notice);
      expect(await read(Buffer.from(body), signatureOf(body, secret, seconds))).toEqual(notice);
    },
  );

  const good = signatureOf(intent, secret, seconds);
  test.each([
    ["no header", undefined],
    ["an empty header", ""],
    ["no timestamp", good.replace(/^t=\d+,/, "")],
    ["no signature", `t=${seconds}`],
    ["an empty signature", `t=${seconds},v1=`],
    ["another scheme", good.replace("v1=", "v0=")],
    ["a timestamp other than the signed one", good.replace(/t=\d+/, `t=${seconds - 1}`)],
    ["a second timestamp", `t=${seconds},${good}`],
    ["an invalid timestamp", good.replace(/t=\d+/, "t=soon")],
    ["another secret", signatureOf(intent, "whsec_ofAnotherShop", seconds)],
    ["an empty secret", signatureOf(intent, "", seconds)],
    ["another body", signatureOf(`${intent} `, secret, seconds)],
    ["a truncated signature", good.slice(0, -1)],
  ])("is unsigned if its signature is wrong: %s", async (_what, signature) => {
    expect(await read(intent, signature)).toBe("unsigned");
    expect(await read(thin, signature)).toBe("unsigned");
  });

  test("may be signed up to five minutes ago, but not in the future", async () => {
    const agedBy = (age: number) => read(intent, good, new Date(now.getTime() + age * 1000));
    expect(await agedBy(300)).toEqual(notice);
    expect(await agedBy(301)).toBe("unsigned");
    expect(await agedBy(-60)).toEqual(notice);
    expect(await agedBy(-61)).toBe("unsigned");
  });

  test("is verified over its raw bytes", async () => {
    const bytes = Buffer.from(intent);
    expect(await read(bytes, good)).toEqual(notice);
    const reformatted = JSON.stringify(JSON.parse(intent), null, 1);
    expect(await read(reformatted, good)).toBe("unsigned");
    // A decoder that replaces invalid bytes with U+FFFD would make both bodies equal.
    const marked = intent.replace("ë", "\uFFFD");
    const broken = Buffer.from(marked.replace("\uFFFD", "\u00FF"), "latin1");
    expect(await read(marked, signatureOf(marked, secret, seconds))).toEqual(notice);
    expect(await read(broken, signatureOf(marked, secret, seconds))).toBe("unsigned");
  });

  test("may have several signatures, as during a secret rotation", async () => {
    const old = signatureOf(intent, "whsec_before", seconds).split(",")[1];
    expect(await read(intent, `${good},${old}`)).toEqual(notice);
    expect(await read(intent, `t=${seconds},${old},${good.split(",")[1]}`)).toEqual(notice);
  });

  test.each(["", "no JSON", "{}", "null", `{"id":"evt_1","data":{}}`, thin])(
    "is unsupported if it is signed but no event with an object: %j",
    async (body) => {
      expect(await read(body, signatureOf(body, secret, seconds))).toBe("unsupported");
    },
  );
});
