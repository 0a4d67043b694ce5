/** Waits for this many milliseconds. */
export type Pause = (ms: number) => Promise<void>;

export const wait: Pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
