import type { Shop } from "#shared/application/shop.ts";
import {
  type EnquiryReceipt,
  type EnquiryReference,
  enquiryReference,
} from "#shared/domain/enquiry/enquiry.ts";
import { internationalPhone } from "#shared/domain/contact/international-phone.ts";
import { mayAcknowledge } from "#shared/application/mail/letter-limits.ts";
import { type CreatingCall, type Once, once } from "#shared/application/once.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { claimReference, sameContent, sameContentMs } from "#shared/storage/enquiry/enquiries.ts";
import {
  Idempotency,
  type IdempotencyId,
  type IdempotencyRecord,
  bindKey,
  boundBy,
} from "#shared/storage/idempotency.ts";
import type { TransactionWrite } from "#shared/storage/writes.ts";

interface Person {
  readonly email: string | null;
  readonly phone: string | null;
}

export interface FormCall extends CreatingCall {
  /** Idempotency record of an earlier submission of the same content. */
  readonly first: IdempotencyRecord | undefined;
}

/** What `submitOnce` needs to store a form. */
export interface EnquiryForm<Record extends EnquiryReceipt> {
  readonly kind: "lead" | "quote";
  readonly id: string;
  readonly twin: IdempotencyId;
  /** The address that gets an acknowledgement; null for none. */
  readonly email: string | null;
  /** Returns the record with this reference, and all writes that store the record. */
  make(
    reference: EnquiryReference,
    letter: { readonly letter_withheld: boolean },
  ): { record: Record; writes: readonly TransactionWrite[] };
  find(id: string): Promise<Record | undefined>;
}

/** The identity of a submission, by which duplicates are recognized. It does not depend on the source of the visit. */
export async function twinOf(
  kind: "lead" | "quote",
  body: Person & { source: unknown },
  { settings }: Shop<"settings", "store">,
): Promise<IdempotencyId> {
  const phone =
    body.phone && internationalPhone(body.phone, (await settings.current()).store.country);
  const said = { ...body, phone, source: null };
  return sameContent(kind, said, JSON.stringify(said));
}

/** Reads the idempotency record of an earlier submission of the same content. */
export const readTwin = (twin: IdempotencyId, { table }: Shop<"table">) =>
  table.get(Idempotency, twin);

/**
 * Whether a bot has filled in the field that people do not see. A bot gets a normal response, but its form is not
 * stored.
 */
export const isTrapped = ({ website }: { website?: string | undefined }): boolean =>
  website !== undefined && website !== "";

/**
 * Stores a form once, even if the same person sends the same content repeatedly within ten minutes.
 *
 * @throws AppError `idempotency_key_reused`, `not_found` if the record of an earlier submission is gone, and the errors
 *   of the form's writes
 */
export async function submitOnce<Record extends EnquiryReceipt>(
  call: FormCall,
  { randomBytes, ...deps }: Shop<"table" | "randomBytes" | "rates" | "settings", "store">,
  form: EnquiryForm<Record>,
): Promise<Once<{ readonly record: Record }>> {
  const { kind, id, twin, email } = form;
  const { now, first } = call;
  const { table } = deps;
  let withheld: Promise<boolean> | undefined;
  const submission = {
    route: `form of a ${kind}`,
    id,
    at: (submitted: string) => `/admin/${kind}s/${submitted}`,
    known: { first, again: () => readTwin(twin, { table }) },
    earlier: (same: IdempotencyRecord | undefined) => boundBy(same, now)?.made_id,
    replay: async (submitted: string) => ({ record: orNotFound(await form.find(submitted)) }),
  };
  return once(submission, call, table, async (bind) => {
    // A letter counts once, however often the form's writes conflict.
    withheld ??=
      email === null
        ? Promise.resolve(false)
        : mayAcknowledge(email, deps, now).then((may) => !may);
    const reference = enquiryReference(kind === "lead" ? "L" : "Q", randomBytes(8));
    const { record, writes } = form.make(reference, { letter_withheld: await withheld });
    await table.transact([
      bindKey(twin, { bodyHash: "", madeId: id, now, forMs: sameContentMs }),
      ...writes,
      claimReference(reference, id),
      ...bind(),
    ]);
    return { record };
  });
}
