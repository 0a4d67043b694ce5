import { statesOfPin } from "#shared/domain/contact/place-of-supply.ts";
import { readPostalCode } from "#shared/domain/contact/postal-code.ts";
import { Secret, TOTP } from "otpauth";
import { smokeTag } from "#shared/domain/order/order.ts";
import { simulatorAddress } from "#shared/mail/simulator.ts";
import { type Deployment, Skipped, WrongAnswer, answered } from "./deployment.ts";
import { type Findings, eventually, needed } from "./findings.ts";
import type { SmokeStep } from "./run-steps.ts";

type Run = SmokeStep<Findings>["run"];

const signIn: Run = async (deployment, found) => {
  const { email, password, totpSecret } = needed(
    found.options.staff,
    "SMOKE_EMAIL and SMOKE_PASSWORD are not set",
  );
  const code = totpSecret && new TOTP({ secret: Secret.fromBase32(totpSecret) }).generate();
  const { data } = answered(
    await deployment.shop.POST("/api/v1/admin/auth/login", {
      body: { email, password, ...(code && { code }) },
    }),
  );
  deployment.signIn(data.token);
  found.signedIn = true;
  return `role ${data.user.role}`;
};

/**
 * Skips a step if no staff user is signed in. Without one, no order is placed, because only staff can cancel a guest's
 * order.
 */
const asStaff = (found: Findings) => needed(found.signedIn, "no staff user is signed in");

const checkout: Run = async (deployment, found) => {
  const { shop } = deployment;
  asStaff(found);
  const cartToken = needed(found.cartToken, "there is no cart");
  const { store, payment_methods } = needed(found.bootstrap, "the shop's settings are not known");
  const { country } = store;
  const { postalCode = null } = found.options;
  const { problem } = readPostalCode({ country, postal_code: postalCode });
  if (problem !== undefined) {
    throw new Skipped(`pass --postal-code with a postal code of ${country} to place an order`);
  }
  const destination = postalCode === null ? { country } : { country, postal_code: postalCode };
  if (!payment_methods.some(({ code, enabled }) => code === "bank_transfer" && enabled)) {
    throw new Skipped("the shop takes no bank transfers");
  }
  await cancelLeftovers(deployment);

  const header = { "x-cart-token": cartToken };
  const quote = answered(
    await shop.GET("/api/v1/shipping/quote", { params: { header, query: destination } }),
  );
  const [method] = quote.data.methods;
  if (!method)
    throw new Skipped(`the shop does not deliver to ${Object.values(destination).join(" ")}`);

  const idempotency = crypto.randomUUID();
  const { data } = answered(
    await shop.POST("/api/v1/checkout", {
      params: { header: { ...header, "idempotency-key": idempotency } },
      body: {
        email: simulatorAddress,
        // A number from a range that is reserved for fiction.
        phone: "+12025550143",
        name: "Smoke Test",
        shipping_address: {
          line1: "Smoke test",
          city: "Smoke test",
          ...destination,
          ...(country === "IN" && { state: statesOfPin(postalCode ?? "")[0]?.name ?? null }),
        },
        shipping_method: method.code,
        payment_method: "bank_transfer",
        note: "Smoke test: do not deliver.",
      },
    }),
  );
  found.order = { id: data.order.id, number: data.order.number };
  return `${data.order.number} for ${data.order.totals.grand_total} ${data.order.currency}`;
};

/** Cancels test orders that an interrupted run has not cancelled. */
async function cancelLeftovers(deployment: Deployment): Promise<void> {
  const query = { q: simulatorAddress, status: ["pending_payment" as const] };
  const { data } = answered(
    await deployment.office.GET("/api/v1/admin/orders", { params: { query } }),
  );
  for (const { id } of data) await cancelOrder(deployment, id);
}

/**
 * Cancels an order and tags it as a test in the same write, so that staff's metrics never count it as a cancelled
 * order.
 */
async function cancelOrder({ office }: Deployment, id: string): Promise<string> {
  const { data } = answered(
    await office.PATCH("/api/v1/admin/orders/{id}", {
      params: { path: { id } },
      body: { status: "cancelled", tags: [smokeTag] },
    }),
  );
  return data.status;
}

const cancel: Run = async (deployment, found) => {
  const { id, number } = needed(found.order, "no order was placed");
  const status = await cancelOrder(deployment, id);
  if (status !== "cancelled") throw new WrongAnswer(`${number} is ${status}`);
  return `${number} is cancelled and tagged ${smokeTag}`;
};

const index: Run = async ({ office }, found) => {
  asStaff(found);
  const list = async () =>
    answered(await office.GET("/api/v1/admin/orders", { params: { query: { per_page: 100 } } }))
      .data;
  const { order } = found;
  if (!order) return `${(await list()).length} orders on the first page`;
  await eventually(`${order.number} was not listed`, async () =>
    (await list()).find(({ id }) => id === order.id),
  );
  return `${order.number} is listed`;
};

const mail: Run = async ({ office }, found) => {
  asStaff(found);
  const { data: checklist } = answered(await office.GET("/api/v1/admin/settings/checklist"));
  const sender = checklist.items.find(({ code }) => code === "mail_sender");
  if (sender?.done === false) throw new Skipped("the shop has no mail domain");
  const query = { to: "simulator" } as const;
  const { data } = answered(
    await office.POST("/api/v1/admin/settings/email/test", { params: { query } }),
  );
  if (!data.sent) throw new WrongAnswer(data.message);
  return `sent to ${data.to}`;
};

const signOut: Run = async ({ office }, found) => {
  asStaff(found);
  const { response, error } = await office.POST("/api/v1/admin/auth/logout");
  answered({ data: true, error, response });
  return "the session has ended";
};

export const staffSteps = {
  signIn: { name: "staff login", run: signIn },
  checkout: { name: "checkout", run: checkout },
  cancel: { name: "cancel", run: cancel },
  index: { name: "index query", run: index },
  mail: { name: "mail", run: mail },
  signOut: { name: "staff logout", run: signOut },
} as const satisfies Record<string, SmokeStep<Findings>>;
