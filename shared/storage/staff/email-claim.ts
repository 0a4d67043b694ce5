/** Who holds an email: a customer or a staff user. */
export interface EmailClaim {
  readonly id: string;
  /** Completed password resets. The counters of failed logins start anew with each. */
  readonly password_resets: number;
}

/** An id that no account has. Reading it takes as long as reading an account. */
export const nobody = "nobody";
