import { Unavailable } from "../runtime/unavailable.ts";
import { Refused } from "./writes.ts";

const tries = 20;

/**
 * Runs a read-modify-write and retries it on conflict, with a fresh read for each retry.
 *
 * @param read what the first attempt starts from
 * @param attempt throws Refused when its read is outdated
 * @throws Unavailable when every attempt conflicts
 */
export async function retryOnConflict<Read, Result>(
  read: Read,
  readAgain: () => Promise<Read>,
  attempt: (read: Read) => Promise<Result>,
): Promise<Result> {
  let current = read;
  for (let number = 1; ; number++) {
    try {
      return await attempt(current);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (number === tries)
        throw new Unavailable("Every attempt conflicted with another write", { cause: error });
      current = await readAgain();
    }
  }
}
