import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openObjectReader } from "#shared/files/object-reader.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { openMailer } from "#shared/mail/mailer.ts";
import { openFifoQueue, openQueue } from "#shared/queues/queue.ts";
import { deadlineAt, withinDeadline } from "#shared/runtime/deadline.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { untilNoConflict } from "#shared/storage/retries.ts";
import { CategoryTree } from "#shared/storage/catalog/catalog.ts";
import { openTable } from "#shared/storage/table.ts";
import { TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { type LoopbackServer, serveOnLoopback } from "#test/support/emulators/loopback-server.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";

/** The API request's remaining time: shorter than an attempt's timeout, but enough to start an attempt. */
const remainingMs = 2_500;

describe("a request to a service that does not respond", () => {
  let server: LoopbackServer;
  let endpoint: string;
  let asked: number;
  let closed: number;

  beforeEach(async () => {
    asked = 0;
    closed = 0;
    server = await serveOnLoopback((request) => {
      asked++;
      request.socket.once("close", () => closed++);
    });
    endpoint = server.baseUrl;
  });
  afterEach(() => server.stop());

  const letter = {
    to: "a@example.com",
    shop: "Teak",
    reply_to: null,
    subject: "x",
    html: "x",
    text: "x",
    dedupe: "x",
  };

  test.each<[string, () => Promise<unknown>]>([
    ["the table", () => openTable({ name: "t", endpoint }).get(CategoryTree, {})],
    ["object storage", () => openObjectStore({ bucket: "b", endpoint }).remove("k")],
    ["a reader of object storage", () => openObjectReader({ bucket: "b", endpoint })("k")],
    ["a queue", () => openQueue({ url: `${endpoint}/0/q`, endpoint }).send([{}])],
    [
      "a FIFO queue",
      () =>
        openFifoQueue({ url: `${endpoint}/0/q.fifo`, endpoint }).send([
          { body: {}, group: "g", dedupe: "d" },
        ]),
    ],
    ["the mail server", () => openMailer({ from: "s@example.com", endpoint }).send(letter)],
  ])(
    "is aborted at the deadline of the API request, after one attempt: %s",
    async (_what, call) => {
      let outcome: unknown;
      const work = async () => {
        outcome = await call().catch((error: unknown) => error);
      };
      await expect(withinDeadline(remainingMs, work)).rejects.toThrow(Unavailable);
      // The call itself has ended too; it does not continue after the response.
      await waitUntil(() => expect(outcome).toBeInstanceOf(Unavailable));
      await waitUntil(() => expect([asked, closed]).toEqual([1, 1]));
    },
  );
});

test("a conflicting write is not retried past the deadline of the API request", async () => {
  let tries = 0;
  let outcome: unknown;
  const conflicting = () => {
    tries++;
    return Promise.reject(new TransactionConflictException({ message: "", $metadata: {} }));
  };
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const work = async () => {
    outcome = await untilNoConflict(conflicting, pause).catch((error: unknown) => error);
  };
  await withinDeadline(remainingMs, work).catch(() => undefined);
  await waitUntil(() => expect(outcome).toBeInstanceOf(Unavailable));
  expect(tries).toBeGreaterThan(1);
});

test("a request that finishes in time returns its result and clears its deadline", async () => {
  expect(await withinDeadline(60_000, async () => deadlineAt() < Infinity)).toBe(true);
  expect(deadlineAt()).toBe(Infinity);
});
