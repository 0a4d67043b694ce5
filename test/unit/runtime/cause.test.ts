import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { because, causeOfAll, causeOfEvent, currentCause } from "#shared/runtime/cause.ts";
import { openLog, plainLog } from "#shared/runtime/log.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { aMessage } from "#test/support/emulators/queues.ts";

const text = (stringValue: string) => ({ dataType: "String" as const, stringValue });

describe("the cause of an event", () => {
  test("is the request id if the event is an API call", () => {
    expect(causeOfEvent({ requestContext: { requestId: "r1" } })).toEqual({ request_id: "r1" });
  });

  test("is the schedule if the event has no records", () => {
    expect(causeOfEvent({ source: "aws.events" })).toEqual({ trigger: "schedule" });
  });

  test("consists of the causes that the senders of its messages named, each once", () => {
    const from = (request_id: string) => ({
      ...aMessage({}),
      messageAttributes: { request_id: text(request_id) },
    });
    const expired = { ...aMessage({}), messageAttributes: { trigger: text("expiry") } };
    expect(causeOfEvent({ Records: [from("r1 r2"), from("r2"), expired] })).toEqual({
      request_id: "r1 r2",
      trigger: "expiry",
    });
  });

  test("is `message` if an older release sent the message without a cause", () => {
    expect(causeOfEvent({ Records: [aMessage({})] })).toEqual({ trigger: "message" });
  });
});

test("concurrent work has separate causes", async () => {
  const seen = await Promise.all(
    ["r1", "r2"].map((request_id) =>
      because({ request_id }, async () => {
        await new Promise(setImmediate);
        return currentCause();
      }),
    ),
  );
  expect(seen).toEqual([{ request_id: "r1" }, { request_id: "r2" }]);
  expect(causeOfAll(seen)).toEqual({ request_id: "r1 r2" });
});

describe("every log line", () => {
  let printed: MockInstance;
  beforeEach(() => {
    printed = vi.spyOn(console, "error").mockReturnValue();
  });
  afterEach(() => printed.mockRestore());
  const line = (): unknown => JSON.parse(String(printed.mock.lastCall?.[0]));

  test.each([
    ["of a function", openLog("on-change-test")],
    ["of the plain logger", plainLog],
  ])("%s names the cause of the work", (_which, log) => {
    because({ request_id: "r1" }, () => log.error("Failed", { order_id: "ord_1" }));
    expect(line()).toMatchObject({ message: "Failed", request_id: "r1", order_id: "ord_1" });
    log.error("Failed");
    expect(line()).toMatchObject({ trigger: "command" });
  });

  test.each([
    ["of a function", openLog("on-change-test")],
    ["of the plain logger", plainLog],
  ])("%s names the trace of its invocation", (_which, log) => {
    vi.stubEnv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1");
    log.error("Failed");
    vi.unstubAllEnvs();
    expect(line()).toMatchObject({ xray_trace_id: "1-5759e988-bd862e3fe1be46a994272793" });
  });

  test("of a scheduled function names the schedule", async () => {
    const run = onceConnected(
      async (_event: object, log: typeof plainLog) => log.error("Failed"),
      () => openLog("on-schedule-test"),
    );
    await run({ source: "aws.events" });
    expect(line()).toMatchObject({ trigger: "schedule" });
  });
});
