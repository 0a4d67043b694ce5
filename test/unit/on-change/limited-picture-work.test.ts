import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { onChangeInboxFiles, onChangeMedia } from "#functions/on-change/files.ts";

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>',
);
const opened = () => sharp(svg).metadata();

/** Consumers whose event has no records use none of their parts. */
type Consume = (event: SQSEvent, shop: never) => Promise<SQSBatchResponse>;
const consumers: readonly [string, Consume][] = [
  ["uploads", onChangeMedia],
  ["customers' files", onChangeInboxFiles],
];

describe.each(consumers)("the consumer of %s", (_name, consume) => {
  beforeEach(() => {
    sharp.unblock({ operation: ["VipsForeignLoad"] });
    sharp.concurrency(7);
  });

  test("lets no parser but those of accepted pictures read a file, and limits threads", async () => {
    await expect(opened()).resolves.toMatchObject({ format: "svg" });
    await consume({ Records: [] }, {} as never);
    expect(sharp.concurrency()).toBe(2);
    await expect(opened()).rejects.toThrow("unsupported image format");
  });
});
