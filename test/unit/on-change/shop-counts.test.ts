import { marshall } from "@aws-sdk/util-dynamodb";
import type { DynamoDBRecord } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { countOrders } from "#functions/on-change/stream/read-stream.ts";

let printed: MockInstance;
beforeEach(() => {
  printed = vi.spyOn(console, "log").mockReturnValue();
  vi.stubEnv("POWERTOOLS_METRICS_NAMESPACE", "furniture-dev");
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
});
afterEach(() => {
  printed.mockRestore();
  vi.unstubAllEnvs();
});

const entry = (type: string, eventName: "INSERT" | "REMOVE" = "INSERT") =>
  ({
    eventName,
    dynamodb: { NewImage: marshall({ entity: "order_timeline", type }) },
    // The cast is safe: the SDK and the Lambda event declare the same attribute format in two packages.
  }) as unknown as DynamoDBRecord;

describe("the stream reader", () => {
  test.each([
    ["paid", "OrdersPaid"],
    ["payment_failed", "PaymentFailures"],
  ])("counts the entry %s of an order's timeline as %s", async (type, name) => {
    await countOrders([entry(type), entry("confirmed")]);
    expect(printed.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      expect.objectContaining({ [name]: 1 }),
    ]);
  });

  test("counts a new order as placed, except one of a smoke test", async () => {
    const order = (email: string) =>
      ({
        eventName: "INSERT",
        dynamodb: { NewImage: marshall({ entity: "order", customer: { email } }) },
        // The cast is safe for the reason in `entry`.
      }) as unknown as DynamoDBRecord;
    await countOrders([order("asha@example.com"), order("success@simulator.amazonses.com")]);
    expect(printed).toHaveBeenCalledTimes(1);
    expect(JSON.parse(String(printed.mock.lastCall?.[0]))).toMatchObject({ OrdersPlaced: 1 });
  });

  test("counts neither removed entries nor other rows", async () => {
    const other = entry("paid");
    other.dynamodb = { NewImage: { entity: { S: "lead" }, type: { S: "paid" } } };
    await countOrders([entry("paid", "REMOVE"), other]);
    expect(printed).not.toHaveBeenCalled();
  });
});
