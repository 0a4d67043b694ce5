/** Pauses between the attempts of a retried call; both bounds in the same unit. */
export interface BackOff {
  readonly first: number;
  readonly longest: number;
}

/**
 * The pause after a failed attempt: it doubles with each attempt.
 *
 * @param attempt counts from 1
 */
export const pauseAfter = (attempt: number, { first, longest }: BackOff): number =>
  Math.min(longest, first * 2 ** (attempt - 1));

/**
 * A random pause of at most `pauseAfter` ("full jitter"), so that callers that failed together do not retry together.
 */
export const randomPauseAfter = (attempt: number, bounds: BackOff): number =>
  Math.random() * pauseAfter(attempt, bounds);
