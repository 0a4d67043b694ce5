import { wait } from "../runtime/pause.ts";
import { backOff } from "./retry-deadline.ts";
import { Refused } from "./writes.ts";

/**
 * Runs a read-modify-write and retries it on conflict, with a fresh read for each retry, until the request's deadline.
 *
 * @param read the read that the first attempt uses
 * @param attempt throws Refused when the read that it received is outdated
 * @throws Unavailable when it still conflicts at the deadline
 */
export async function retryOnConflict<Read, Result>(
  read: Read,
  readAgain: () => Promise<Read>,
  attempt: (read: Read) => Promise<Result>,
): Promise<Result> {
  const call = { startedAt: Date.now(), pause: wait };
  let current = read;
  for (let number = 1; ; number++) {
    try {
      return await attempt(current);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await backOff(number, call, "other writes kept changing the record", error);
      current = await readAgain();
    }
  }
}
