import { invalidField } from "#shared/domain/request/app-error.ts";
import { holdUpload } from "#shared/storage/enquiry/upload-holds.ts";
import type { TransactionWrite } from "#shared/storage/writes.ts";

/**
 * The writes that keep uploaded pictures for a record, one for each picture. One that does not exist or is not ready
 * refuses the transaction.
 *
 * @param named the ids of the pictures, each with its path in the request
 */
export const holdPictures = (
  named: readonly (readonly [id: string, path: string])[],
  now: Date,
): TransactionWrite[] =>
  Array.from(new Map(named), ([id, path]) => ({
    write: holdUpload(id, now),
    refused: () => invalidField(path, "The picture does not exist or is not ready yet."),
  }));
