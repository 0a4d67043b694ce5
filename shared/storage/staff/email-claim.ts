/** Who holds an email: a customer or a staff user. */
export interface EmailClaim {
  readonly id: string;
  /** The number of completed password resets. Each reset starts new counters of failed logins. */
  readonly password_resets: number;
}

/** An id that no account has. Reading it takes as long as reading an account. */
export const nobody = "nobody";
