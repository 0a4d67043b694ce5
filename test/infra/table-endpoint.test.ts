import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { defaultEndpointResolver } from "#infra/cloud/table-endpoint.ts";

/** Where the SDK's own rules put the table. */
const { endpointProvider } = new DynamoDBClient({ region: "eu-west-1" }).config;

describe("where a bundle looks for the table", () => {
  test.each([
    ..."us-east-1 eu-west-1 ap-south-1 ap-south-2 me-central-1 il-central-1 us-gov-east-1".split(
      " ",
    ),
    ..."us-gov-west-1 cn-north-1 cn-northwest-1 eusc-de-east-1 us-iso-east-1 us-isob-east-1".split(
      " ",
    ),
    ..."eu-isoe-west-1 us-isof-south-1 mx-central-1".split(" "),
  ])("is where the SDK does: %s", (Region) => {
    expect(defaultEndpointResolver({ Region }).url.href).toBe(
      endpointProvider({ Region }).url.href,
    );
  });

  test("is where it is told", () => {
    const told = { Region: "eu-west-1", Endpoint: "http://127.0.0.1:8000" };
    expect(defaultEndpointResolver(told).url.href).toBe(endpointProvider(told).url.href);
  });

  test.each([{ UseFIPS: true }, { UseDualStack: true }])(
    "is nowhere rather than elsewhere: %j",
    (asked) => {
      expect(() => defaultEndpointResolver({ Region: "eu-west-1", ...asked })).toThrow(
        "FIPS and dual-stack",
      );
    },
  );
});
