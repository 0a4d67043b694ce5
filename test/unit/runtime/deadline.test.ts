import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openObjectReader } from "#shared/files/object-reader.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { openMailer } from "#shared/mail/mailer.ts";
import { openFifoQueue, openQueue } from "#shared/queues/queue.ts";
import { deadlineAt, withinDeadline } from "#shared/runtime/deadline.ts";
import { wait } from "#shared/runtime/pause.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { untilNoConflict } from "#shared/storage/retries.ts";
import { CategoryTree } from "#shared/storage/catalog/catalog.ts";
import { openTable } from "#shared/storage/table.ts";
import { TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { type LoopbackServer, serveOnLoopback } from "#test/support/emulators/failing-servers.ts";

/** The API request's remaining time: shorter than an attempt's timeout. */
const remainingMs = 2_500;

afterEach(() => void vi.useRealTimers());

describe("a request to a service that does not respond", () => {
  let server: LoopbackServer;
  let endpoint: string;
  let asked: number;
  let arrived: PromiseWithResolvers<void>;
  let closed: PromiseWithResolvers<void>;

  beforeEach(async () => {
    asked = 0;
    arrived = Promise.withResolvers();
    closed = Promise.withResolvers();
    server = await serveOnLoopback((request) => {
      asked++;
      request.socket.once("close", closed.resolve);
      arrived.resolve();
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
      const outcome = Promise.withResolvers<unknown>();
      const work = () => call().then(outcome.resolve, outcome.resolve);
      // The time ends when the request has arrived, however long that takes.
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const limited = withinDeadline(remainingMs, work).catch((error: unknown) => error);
      await arrived.promise;
      vi.advanceTimersByTime(remainingMs);
      expect(await limited).toBeInstanceOf(Unavailable);
      // The call itself has ended too; it does not continue after the response.
      expect(await outcome.promise).toBeInstanceOf(Unavailable);
      await closed.promise;
      expect(asked).toBe(1);
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
  vi.useFakeTimers();
  const work = async () => {
    outcome = await untilNoConflict(conflicting, wait).catch((error: unknown) => error);
  };
  const limited = withinDeadline(remainingMs, work).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(remainingMs);
  expect([await limited, outcome]).toEqual([expect.any(Unavailable), expect.any(Unavailable)]);
  expect(tries).toBeGreaterThan(1);
});

test("a request that finishes in time returns its result and clears its deadline", async () => {
  expect(await withinDeadline(60_000, async () => deadlineAt() < Infinity)).toBe(true);
  expect(deadlineAt()).toBe(Infinity);
});
