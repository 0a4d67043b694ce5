import type { Table } from "#shared/storage/table.ts";
import { type AuditedCall, auditContextOf } from "./audit-context.ts";
import { type CreatingCall, answerOnce } from "./create-once.ts";
import type { RecordStore, RecordWrite } from "./record-store.ts";

interface WritingCall extends AuditedCall {
  readonly permissions: readonly string[];
}

/** The write that a call of staff makes. */
export const writeBy = <Deps>(call: WritingCall, deps: Deps): RecordWrite<Deps> => ({
  deps,
  audit: auditContextOf(call),
  permissions: call.permissions,
});

interface Creating<Stored, Before, Shown> {
  /** The path of the list, below the API prefix. */
  readonly path: string;
  /** What the store has read before the creation, and how it is read again. */
  readonly known: { readonly first: Before; again(): Promise<Before> };
  /** The response that shows a record. */
  shown(stored: Stored): Promise<Shown>;
}

/**
 * Creates a record of a store once per idempotency key.
 *
 * @returns the response, with the headers of a creation
 * @throws AppError `idempotency_key_reused`, and what the store throws
 */
export async function createRecord<
  Deps extends { readonly table: Table },
  Input,
  Stored,
  Before,
  Shown extends { data: unknown; version: number },
>(
  store: RecordStore<Deps, Input, Stored, Before>,
  call: CreatingCall & WritingCall & { readonly body: Input },
  { path, known, shown }: Creating<Stored, Before, Shown>,
  deps: Deps,
) {
  const { body, now } = call;
  const id = store.newId(body, now);
  const at = (created: string) => `${path}/${created}`;
  const creation = { route: `POST ${path}`, id, at, known };
  return answerOnce<Shown["data"], Before>(creation, call, deps.table, async (bindTo, before) => {
    let answer: Shown | undefined;
    const bind = async (stored: Stored) => bindTo((answer = await shown(stored)));
    await store.create(body, { ...writeBy(call, deps), id, before, bind });
    if (!answer) throw new TypeError(`${path} creates a record without the writes of \`bind\``);
    return answer;
  });
}
