/** The number of the current rate-limit window. */
const windowNow = (seconds: number) => Math.floor(Date.now() / 1000 / seconds);

/**
 * Runs work within one rate-limit window, and again if the window ended meanwhile.
 *
 * @param seconds length of the window
 * @param work uses new accounts and IP addresses in each run, and makes no assertion that fails if the window ends
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
