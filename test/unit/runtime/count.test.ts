import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { because } from "#shared/runtime/cause.ts";
import { count } from "#shared/runtime/count.ts";

let printed: MockInstance;
beforeEach(() => {
  printed = vi.spyOn(console, "log").mockReturnValue();
});
afterEach(() => {
  printed.mockRestore();
  vi.unstubAllEnvs();
});

describe("a counted event", () => {
  test("is logged as one line in CloudWatch's embedded metric format, with function and reason", async () => {
    vi.stubEnv("POWERTOOLS_METRICS_NAMESPACE", "furniture-dev");
    vi.stubEnv("POWERTOOLS_SERVICE_NAME", "checkout");
    // All tests set POWERTOOLS_DEV, which disables metrics unless this variable is "false".
    vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
    vi.stubEnv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1");
    await because({ request_id: "r1" }, () => count("OrdersRefused", "insufficient_stock"));
    expect(printed).toHaveBeenCalledTimes(1);
    expect(JSON.parse(String(printed.mock.lastCall?.[0]))).toEqual({
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: "furniture-dev",
            Dimensions: [["service", "reason"]],
            Metrics: [{ Name: "OrdersRefused", Unit: "Count" }],
          },
        ],
      },
      service: "checkout",
      reason: "insufficient_stock",
      request_id: "r1",
      xray_trace_id: "1-5759e988-bd862e3fe1be46a994272793",
      OrdersRefused: 1,
    });
  });

  test("is not logged if no namespace is set, as on the local stack", async () => {
    await count("OrdersPlaced");
    expect(printed).not.toHaveBeenCalled();
  });
});
