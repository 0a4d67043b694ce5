import { AppError } from "#shared/domain/request/app-error.ts";
import type { Deps } from "./deps.ts";

/**
 * Calls `use` with catalog records that may be up to two seconds old. If `use` refuses the request's items, calls it
 * again with the latest records, so that no request is refused because of an outdated record.
 *
 * @param use stores nothing if it throws `validation_failed`
 */
export async function recheckingRefusal<Result>(
  deps: Deps,
  use: (deps: Deps) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(deps);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
    const { latest } = deps.catalogReads;
    return use({ ...deps, catalogReads: { ...deps.catalogReads, current: latest } });
  }
}
