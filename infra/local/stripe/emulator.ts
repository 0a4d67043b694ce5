import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { listen } from "#infra/local/gateway/http-server.ts";
import { openAccount } from "./account.ts";
import { type ApiRequest, openApi, operationOf } from "./api.ts";
import { control, controlPrefix } from "./control.ts";
import { type FaultName, openFaults } from "./faults.ts";
import { type KeptAnswer, refusalAnswer } from "./idempotency.ts";
import { emulatorKeys } from "./keys.ts";
import { newStripeId } from "./objects.ts";
import { StripeRefusal, invalidRequest } from "./refusal.ts";
import { openWebhooks } from "./webhooks.ts";

export interface StripeEmulator {
  /** The part of Stripe's API that the service and a storefront use; without a trailing slash. */
  readonly endpoint: string;
  /** Whether an event is being delivered. Held events are ignored. */
  isBusy(): boolean;
  /** Resolves when no event is being delivered. */
  quiet(): Promise<void>;
  stop(): Promise<void>;
}

export interface EmulatorOptions {
  /** URL that receives signed events. */
  readonly webhookUrl: string;
  readonly port?: number;
  /** Delay of banks in ms, for payments that take time. */
  readonly bankMs?: number;
}

/** Storefronts call Stripe from the browser, so it answers every origin. */
const anyOrigin = { "access-control-allow-origin": "*" };
const forPreflight = {
  "access-control-allow-methods": "GET, HEAD, PUT, PATCH, POST, DELETE",
  "access-control-max-age": "300",
};

const buyersPage = "/buyer/";
const defaultBankMs = 1_500;

/** Emulates Stripe on this machine. Its data is deleted when it stops, and no money moves. */
export async function startStripe(options: EmulatorOptions): Promise<StripeEmulator> {
  const { webhookUrl, port = 0, bankMs = defaultBankMs } = options;
  const server = await listen(port);
  const timers = new Set<NodeJS.Timeout>();
  const faults = openFaults();
  const webhooks = openWebhooks({
    url: webhookUrl,
    secret: emulatorKeys.webhookSecret,
    now: Date.now,
  });
  const account = openAccount({
    emit(type, object) {
      const intent = "payment_intent" in object ? account.find(object.payment_intent) : undefined;
      webhooks.announce(type, object, JSON.stringify(intent?.metadata ?? {}));
    },
    later(work) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, bankMs);
      timers.add(timer);
    },
    pageOf: (id) => server.baseUrl + buyersPage + id,
    now: Date.now,
  });
  const answerOf = openApi(account);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "/", headers } = request;
    if (method === "OPTIONS") {
      const asked = headers["access-control-request-headers"] ?? "";
      response
        .writeHead(200, { ...anyOrigin, ...forPreflight, "access-control-allow-headers": asked })
        .end();
      return;
    }
    const { pathname: path, searchParams: query } = new URL(url, server.baseUrl);
    const body = (await buffer(request)).toString();
    if (path.startsWith(controlPrefix)) {
      const call = `${method} ${path.slice(controlPrefix.length)}`;
      const result = await control({ account, faults, webhooks }, call, query, jsonOf(body));
      return send(response, {
        status: result ? 200 : 404,
        body: JSON.stringify(result?.data ?? null),
      });
    }
    if (path.startsWith(buyersPage)) {
      const outcome = query.get("outcome") === "failed" ? "failed" : "succeeded";
      const { status } = account.complete(account.find(path.slice(buyersPage.length)), outcome);
      return send(response, { status: 200, body: JSON.stringify({ status }) });
    }
    const parameters = new URLSearchParams([...query, ...new URLSearchParams(body)]);
    const { authorization } = headers;
    const idempotencyKey = headers["idempotency-key"]?.toString() ?? null;
    await serveApi(request, response, { method, path, parameters, authorization, idempotencyKey });
  }

  async function serveApi(
    { socket }: IncomingMessage,
    response: ServerResponse,
    request: ApiRequest,
  ): Promise<void> {
    const { method, path, parameters, idempotencyKey } = request;
    const operation = operationOf(method, path);
    if (!operation) return send(response, unknownPath(method, path));
    const text = `${path}?${parameters.toString()}`;
    const { note, fault } = faults.meet(operation.call, text, idempotencyKey);
    const failed = fault && failures[fault.fault];
    if (failed) {
      note.status = failed.status;
      return send(response, failed);
    }
    if (fault?.fault === "hang") return;
    if (fault?.fault === "slow") await delay(fault.ms);
    const answer = fault?.fault === "reset" ? undefined : answerOf(operation, request);
    if (!answer || fault?.fault === "answer_lost") {
      socket.resetAndDestroy();
      return;
    }
    note.status = answer.status;
    send(response, answer, {
      ...(idempotencyKey !== null && { "idempotency-key": idempotencyKey }),
      ...(answer.replayed && { "idempotent-replayed": "true" }),
    });
  }

  server.serve((request, response) => {
    serve(request, response).catch((error: unknown) => {
      send(response, error instanceof StripeRefusal ? refusalAnswer(error) : mistake(error));
    });
  });

  return {
    endpoint: server.baseUrl,
    isBusy: webhooks.isBusy,
    quiet: webhooks.quiet,
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      await webhooks.stop();
      await server.stop();
    },
  };
}

function send(
  response: ServerResponse,
  { status, body }: KeptAnswer,
  more: Record<string, string> = {},
) {
  response
    .writeHead(status, {
      ...anyOrigin,
      "access-control-expose-headers": "Request-Id",
      "content-type": "application/json",
      "request-id": newStripeId("req"),
      ...more,
    })
    .end(body);
}

const failure = (status: number, message: string): KeptAnswer =>
  refusalAnswer(new StripeRefusal(status, { type: "api_error", message }));

const failures: Partial<Record<FaultName, KeptAnswer>> = {
  server_error: failure(500, "Something went wrong on our side."),
  too_many: failure(429, "Request rate limit exceeded."),
  refused: refusalAnswer(
    invalidRequest("This charge cannot be refunded.", { code: "charge_not_refundable" }),
  ),
};

const jsonOf = (body: string): unknown => (body === "" ? undefined : JSON.parse(body));

const unknownPath = (method: string, path: string): KeptAnswer =>
  refusalAnswer(
    new StripeRefusal(404, {
      type: "invalid_request_error",
      message: `Unrecognized request URL (${method}: ${path}).`,
    }),
  );

/** The response to an invalid control request (400), or to an error of the emulator itself (500). */
const mistake = (error: unknown): KeptAnswer =>
  failure(error instanceof z.ZodError || error instanceof SyntaxError ? 400 : 500, String(error));
