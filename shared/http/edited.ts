import type { Edited } from "../domain/enquiry/enquiry.ts";
import { AppError, invalidFields } from "../domain/request/app-error.ts";

/**
 * The edited record.
 *
 * @throws AppError `invalid_transition`, `validation_failed` when the record's rules refuse the edit
 */
export function edited<Record>(result: Edited<Record>): Record {
  if (result.ok) return result.record;
  const { refusal } = result;
  if (refusal.kind === "fields") throw invalidFields(refusal.problems);
  const { from, to, allowed } = refusal;
  const { message = `The state cannot change from ${spoken(from)} to ${spoken(to)}.` } = refusal;
  throw new AppError("invalid_transition", {
    message,
    details: { from, to, allowed },
  });
}

const spoken = (state: string) => state.replaceAll("_", " ");
