import { Unavailable } from "../runtime/unavailable.ts";
import { Refused } from "./writes.ts";

const tries = 20;

/**
 * Runs a read-modify-write, on a fresh read each time somebody else wrote in between.
 *
 * @param read what the first attempt goes by
 * @param attempt throws Refused when what it read no longer holds
 * @throws Unavailable when that happens again and again
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
      if (number === tries) throw new Unavailable("A record kept changing", { cause: error });
      current = await readAgain();
    }
  }
}
