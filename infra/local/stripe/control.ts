import * as z from "zod";
import type { StripeAccount } from "./account.ts";
import { FaultOrder, type Faults } from "./faults.ts";
import type { Webhooks } from "./webhooks.ts";

export const controlPrefix = "/_control/";

const About = z.strictObject({ about: z.string().min(1) });
const Outcome = z.strictObject({ outcome: z.enum(["succeeded", "failed"]) });
const Verdict = z.strictObject({ outcome: z.enum(["won", "lost"]) });
const Events = z.strictObject({ ids: z.array(z.string()).max(1000) });

export interface Controlled {
  readonly account: StripeAccount;
  readonly faults: Faults;
  readonly webhooks: Webhooks;
}

/**
 * Handles the control requests of tests, which are not part of Stripe's API.
 *
 * @param call method and path, without the prefix
 * @returns the JSON response; undefined if the request is unknown
 */
export async function control(
  { account, faults, webhooks }: Controlled,
  call: string,
  query: URLSearchParams,
  body: unknown,
): Promise<{ readonly data: unknown } | undefined> {
  const about = query.get("about") ?? undefined;
  const [verb, id = ""] = call.split("/");
  switch (verb) {
    case "POST faults":
      return { data: faults.order(FaultOrder.parse(body)) };
    case "DELETE faults":
      return { data: faults.withdraw(about) };
    case "GET calls":
      return { data: faults.calls(about ?? "") };
    case "POST holds":
      return { data: webhooks.hold(About.parse(body).about) };
    case "DELETE holds":
      return { data: webhooks.letGo(about ?? "") };
    case "GET events":
      return { data: webhooks.list(about ?? "") };
    case "POST deliveries":
      return { data: await webhooks.redeliver(Events.parse(body).ids) };
    case "GET quiet":
      return { data: await webhooks.quiet() };
    case "POST payments":
      return { data: account.complete(account.find(id), Outcome.parse(body).outcome).status };
    case "POST disputes":
      return { data: account.dispute(id).id };
    case "PATCH disputes":
      return { data: account.closeDispute(id, Verdict.parse(body).outcome).status };
    case "POST refunds": {
      const { outcome } = Outcome.parse(body);
      return { data: account.completeRefund(account.findRefund(id), outcome).status };
    }
    default:
      return undefined;
  }
}
