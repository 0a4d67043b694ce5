/** Something this service leans on did not answer in time; the same call may work shortly. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  readonly retryAfterSeconds: number;

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds ?? 2;
  }
}
