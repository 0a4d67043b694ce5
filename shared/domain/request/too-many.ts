import { AppError } from "./app-error.ts";

/**
 * The error for a caller who may not have more of something now.
 *
 * @param options.seconds the time after which a retry may succeed
 */
export function tooMany(
  message: string,
  options: { readonly limit: number; readonly seconds: number; readonly now: Date },
): AppError {
  const { limit, seconds, now } = options;
  return new AppError("too_many_requests", {
    message,
    headers: {
      "Retry-After": String(seconds),
      "X-RateLimit-Limit": String(limit),
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": String(Math.floor(now.getTime() / 1000) + seconds),
    },
  });
}
