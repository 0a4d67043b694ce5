import type { Shop } from "#shared/application/shop.ts";
import { newOpaqueToken } from "#shared/auth/opaque-tokens.ts";
import {
  type AlertRequest,
  type ProductAlert,
  confirmedAlert,
  requestedAlert,
  stoppedAlert,
} from "#shared/domain/marketing/product-alert.ts";
import { mayAcknowledge } from "#shared/application/mail/letter-limits.ts";
import { linkIsDead, newLink } from "#shared/application/identity/mail-link.ts";
import { type Proof, spendProof } from "#shared/storage/customer/proofs.ts";
import { scheduleTask } from "#shared/storage/marketing/marketing-timers.ts";
import { type AlertId, ProductAlerts, putAlert } from "#shared/storage/marketing/product-alerts.ts";
import { subscriberPartition } from "#shared/storage/marketing/subscriptions.ts";
import { publishEvent, writeDecoyEvent } from "#shared/storage/outbox.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { Table } from "#shared/storage/table.ts";

/**
 * Requests an alert: mails a confirmation link, or starts the alert at once if the address is proven. A link and an
 * event are written whether or not a mail is sent, so that the timing does not reveal who has an alert.
 */
export async function requestAlert(
  request: AlertRequest,
  { randomBytes, ...deps }: Shop<"table" | "randomBytes" | "rates" | "settings", "store">,
  now: Date,
): Promise<void> {
  const { table } = deps;
  const { email, product_id, kind } = request;
  // Counted once, however often the write is retried.
  let counted: Promise<boolean> | undefined;
  const read = () => readAlerts(table, email);
  await retryOnConflict(await read(), read, async (alerts) => {
    const before = alerts.find((one) => one.product_id === product_id && one.kind === kind);
    const token = newOpaqueToken(randomBytes);
    const { alert, isLetterDue } = requestedAlert(before, request, token);
    counted ??= request.isProven
      ? Promise.resolve(true)
      : mayAcknowledge(email, deps, now, isLetterDue ? 1 : 0);
    const isRefused = isLetterDue && !(await counted);
    const isMailed = isLetterDue && !isRefused;
    const subject = JSON.stringify([product_id, kind]);
    const reader = { guard: "customer", subject, email, name: null, epoch: 1 } as const;
    const link = newLink("confirm_alert", reader, { randomBytes }, now);
    const event = {
      type: "confirm_alert",
      kind,
      product_id,
      to: email,
      name: null,
      token: link.token,
      expires_at: link.expires_at,
    } as const;
    await table.transact([
      // An alert without a confirmation mail could never be confirmed, so it is not stored.
      ...(isRefused ? [] : putAlert(alert, before)),
      ...(request.isProven
        ? [scheduleTask({ task: kind, about: product_id, at: now.toISOString() })]
        : [link.keep, (isMailed ? publishEvent : writeDecoyEvent)(event, now)]),
    ]);
  });
}

const readAlerts = async (table: Table, email: string) =>
  (await table.getPartition(subscriberPartition(email), { alerts: ProductAlerts })).alerts;

/**
 * Starts the alert of a confirmation link.
 *
 * @throws AppError `validation_failed` on `token` when the link was used or is no longer valid
 */
export async function confirmAlert(
  token: string,
  proof: Proof,
  { table, now }: { table: Table; now: Date },
): Promise<void> {
  const alerts = await readAlerts(table, proof.email);
  const meant = alerts.find(
    ({ product_id, kind }) => JSON.stringify([product_id, kind]) === proof.subject,
  );
  if (!meant) throw linkIsDead();
  const read = () => table.get(ProductAlerts, meant);
  await retryOnConflict<typeof meant | undefined, void>(meant, read, async (before) => {
    const alert = before && confirmedAlert(before, now);
    if (!alert) throw linkIsDead();
    const { kind: task, product_id: about } = alert;
    await table.transact([
      { write: spendProof(token), refused: linkIsDead },
      ...putAlert(alert, before),
      scheduleTask({ task, about, at: now.toISOString() }),
    ]);
  });
}

/**
 * Ends an alert. Also succeeds if the alert has already ended.
 *
 * @param isMeant whether to end the stored alert; false if it is newer than the request to end it
 */
export async function stopAlert(
  table: Table,
  id: AlertId,
  now: Date,
  isMeant: (alert: ProductAlert) => boolean = () => true,
): Promise<void> {
  const read = () => table.get(ProductAlerts, id);
  await retryOnConflict(await read(), read, async (before) => {
    if (!before || before.stopped_at !== null || !isMeant(before)) return;
    await table.transact(putAlert(stoppedAlert(before, now), before));
  });
}

/**
 * Ends every alert of an address. May be called repeatedly.
 *
 * @param isMeant see `stopAlert`
 */
export async function stopAlerts(
  table: Table,
  email: string,
  now: Date,
  isMeant?: (alert: ProductAlert) => boolean,
): Promise<void> {
  for (const alert of await readAlerts(table, email)) await stopAlert(table, alert, now, isMeant);
}
