import type { StripeAccount } from "./account.ts";
import type { CallName } from "./faults.ts";
import { type StripeForm, formOf } from "./form.ts";
import { type KeptAnswer, refusalAnswer, openIdempotency } from "./idempotency.ts";
import { emulatorKeys } from "./keys.ts";
import { type Intent, listOf } from "./objects.ts";
import { StripeRefusal, missing } from "./refusal.ts";

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  /** Parameters of query and body. */
  readonly parameters: URLSearchParams;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | null;
}

interface Operation {
  readonly call: CallName;
  readonly id: string;
}

const operations: readonly (readonly [CallName, string, RegExp])[] = [
  ["payment_intents.create", "POST", /^\/v1\/payment_intents$/],
  ["payment_intents.retrieve", "GET", /^\/v1\/payment_intents\/([^/]+)$/],
  ["payment_intents.confirm", "POST", /^\/v1\/payment_intents\/([^/]+)\/confirm$/],
  ["payment_intents.cancel", "POST", /^\/v1\/payment_intents\/([^/]+)\/cancel$/],
  ["refunds.create", "POST", /^\/v1\/refunds$/],
  ["refunds.list", "GET", /^\/v1\/refunds$/],
  ["disputes.list", "GET", /^\/v1\/disputes$/],
  ["refunds.retrieve", "GET", /^\/v1\/refunds\/([^/]+)$/],
];

/** The called operation; undefined if the emulator does not support it. */
export function operationOf(method: string, path: string): Operation | undefined {
  for (const [call, verb, pattern] of operations) {
    const match = verb === method ? pattern.exec(path) : null;
    if (match) return { call, id: match[1] ?? "" };
  }
  return undefined;
}

/** Handles the part of Stripe's API that the service and a storefront use. */
export function openApi(account: StripeAccount) {
  const once = openIdempotency();

  return (operation: Operation, request: ApiRequest): KeptAnswer & { replayed?: boolean } => {
    try {
      const form = formOf(request.parameters);
      const holder = holderOf(request.authorization);
      const work = () => answerOf(account, operation, form, holder);
      const { method, path, parameters, idempotencyKey } = request;
      return method === "POST" && idempotencyKey !== null
        ? once(idempotencyKey, `${path}?${parameters.toString()}`, work)
        : work();
    } catch (error) {
      if (error instanceof StripeRefusal) return refusalAnswer(error);
      throw error;
    }
  };
}

/**
 * The secret key allows everything. The publishable key allows paying a payment whose client secret the caller knows.
 */
type Holder = "shop" | "buyer";

function holderOf(authorization = ""): Holder {
  const [scheme, credentials = ""] = authorization.split(" ");
  const key =
    scheme === "Basic"
      ? Buffer.from(credentials, "base64").toString().replace(/:.*$/, "")
      : credentials;
  if (key === emulatorKeys.secretKey) return "shop";
  if (key === emulatorKeys.publishableKey) return "buyer";
  throw new StripeRefusal(401, {
    type: "invalid_request_error",
    message:
      key === ""
        ? "You did not provide an API key."
        : `Invalid API Key provided: ${key.slice(0, 8)}***`,
  });
}

function answerOf(
  account: StripeAccount,
  { call, id }: Operation,
  form: StripeForm,
  holder: Holder,
): KeptAnswer {
  const ok = (object: unknown): KeptAnswer => ({ status: 200, body: JSON.stringify(object) });
  if (holder === "buyer") {
    const intent = intentOfBuyer(account, call, id, form);
    return ok(
      forBuyer(call === "payment_intents.confirm" ? account.confirm(intent, form) : intent),
    );
  }
  switch (call) {
    case "payment_intents.create":
      return ok(account.create(form));
    case "payment_intents.retrieve":
      return ok(expanded(account, account.find(id), form.list("expand")));
    case "payment_intents.confirm":
      return ok(account.confirm(account.find(id), form));
    case "payment_intents.cancel":
      return ok(account.cancel(account.find(id)));
    case "refunds.create":
      return ok(account.refund(form));
    case "refunds.retrieve":
      return ok(account.findRefund(id));
    case "disputes.list":
      return ok(
        listOf("/v1/disputes", account.newestDisputes(form.text("payment_intent")), {
          limit: form.amount("limit"),
          after: form.text("starting_after"),
        }),
      );
    case "refunds.list":
      return ok(
        listOf("/v1/refunds", account.newestRefunds(form.text("payment_intent")), {
          limit: form.amount("limit"),
          after: form.text("starting_after"),
        }),
      );
  }
}

function intentOfBuyer(
  account: StripeAccount,
  call: CallName,
  id: string,
  form: StripeForm,
): Intent {
  if (call !== "payment_intents.retrieve" && call !== "payment_intents.confirm") {
    throw new StripeRefusal(403, {
      type: "invalid_request_error",
      code: "secret_key_required",
      message: "This API call cannot be made with a publishable API key.",
    });
  }
  const intent = account.find(id);
  if (form.text("client_secret") !== intent.client_secret) {
    throw missing("payment_intent", id, "intent");
  }
  return intent;
}

/** Hides the members that buyers must not see. */
function forBuyer({ metadata: _metadata, latest_charge: _charge, ...seen }: Intent) {
  return seen;
}

function expanded(account: StripeAccount, intent: Intent, paths: readonly string[]): unknown {
  const charge = account.findCharge(intent.latest_charge ?? "");
  if (!charge || !paths.some((path) => path.startsWith("latest_charge"))) return intent;
  const refunds = listOf(`/v1/charges/${charge.id}/refunds`, account.newestRefunds(intent.id));
  return {
    ...intent,
    latest_charge: paths.includes("latest_charge.refunds") ? { ...charge, refunds } : charge,
  };
}
