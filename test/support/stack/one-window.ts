/** The window of a rate limit that a moment is in. */
const windowNow = (seconds: number) => Math.floor(Date.now() / 1000 / seconds);

/**
 * Does something within one window of a rate limit, and again where the window ended meanwhile.
 *
 * @param seconds of the window
 * @param work with accounts and addresses of its own each time; it asserts nothing that the window's end would break
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
