let passedMs = 0;

/** The clock by which functions of guarded stacks tell the age of what their memories keep, in ms. */
export const elapsed = (): number => Date.now() + passedMs;

/** How long functions reuse what they have read, such as settings and the index pointer. */
const memoryMs = 2_000;

/** Lets pass what functions in this process have read, so that their next call reads it again. */
export function outliveMemories(): void {
  passedMs += memoryMs + 1;
}
