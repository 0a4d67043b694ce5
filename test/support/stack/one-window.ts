/** The rate-limit window of a moment. */
const windowNow = (seconds: number) => Math.floor(Date.now() / 1000 / seconds);

/**
 * Runs work within one rate-limit window, and again if the window ended meanwhile.
 *
 * @param seconds length of the window
 * @param work uses new accounts and addresses each time, and asserts nothing that the end of the window could break
 */
export async function inOneWindow<Result>(
  seconds: number,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const window = windowNow(seconds);
    const result = await work();
    if (windowNow(seconds) === window) return result;
  }
}
