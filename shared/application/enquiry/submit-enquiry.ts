import type { Shop } from "#shared/application/shop.ts";
import { type CreatingCall, createOnce } from "#shared/application/create-once.ts";
import {
  type EnquiryReceipt,
  type EnquiryReference,
  enquiryReference,
} from "#shared/domain/enquiry/enquiry.ts";
import { internationalPhone } from "#shared/domain/contact/international-phone.ts";
import { mayAcknowledge } from "#shared/application/mail/letter-limits.ts";
import { once } from "#shared/application/once.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
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
export interface Form<Record extends EnquiryReceipt> {
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
  form: Form<Record>,
): Promise<{ record: Record; id: string; replayed: boolean }> {
  const { id: madeId, twin, email } = form;
  const { now } = call;
  const { table } = deps;

  const same = {
    write: bindKey(twin, { bodyHash: "", madeId, now, forMs: sameContentMs }),
    refused: () => new AppError("already_exists"),
  };
  async function replay(id: string) {
    const record = await form.find(id);
    if (!record) throw new AppError("not_found");
    return { record, id, replayed: true };
  }
  async function make() {
    let stored: Record | undefined;
    const letter_withheld = email !== null && !(await mayAcknowledge(email, deps, now));
    const creation = { route: `form of a ${form.kind}`, id: madeId };
    const { id } = await createOnce(creation, call, table, async (binding) => {
      const reference = enquiryReference(form.kind === "lead" ? "L" : "Q", randomBytes(8));
      const { record, writes } = form.make(reference, { letter_withheld });
      await table.transact([same, ...writes, claimReference(reference, madeId), ...binding]);
      stored = record;
    });
    return stored ? { record: stored, id, replayed: false } : replay(id);
  }

  return once({
    first: call.first,
    readAgain: () => readTwin(twin, { table }),
    earlier: (record) => boundBy(record, now)?.made_id,
    make,
    replay,
  });
}
