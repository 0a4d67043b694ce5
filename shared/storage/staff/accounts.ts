/** What a customer and a staff user have in common. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly status: "active" | "disabled";
  /** Null if no password was set, so every password is wrong. */
  readonly password_hash: string | null;
  readonly session_epoch: number;
  readonly version: number;
}

/** Who holds an email: a customer or a staff user. */
export interface EmailClaim {
  readonly id: string;
  /** The number of completed password resets. Each reset starts new counters of failed logins. */
  readonly password_resets: number;
}

/** An id that no account has. Reading it takes as long as reading an account. */
export const nobody = "nobody";

interface AccountReads<Known, Claim> {
  find(id: string): Promise<Known | undefined>;
  findEmail(email: string): Promise<Claim | undefined>;
}

/** The reads of one kind of account. */
export interface AccountStore<Known, Claim = EmailClaim> extends AccountReads<Known, Claim> {
  /** Takes two reads whether or not the account exists, so that the timing does not reveal which emails have accounts. */
  findByEmail(email: string): Promise<Known | undefined>;
}

export const accountStore = <Known extends Account, Claim extends EmailClaim>({
  find,
  findEmail,
}: AccountReads<Known, Claim>): AccountStore<Known, Claim> => ({
  find,
  findEmail,
  async findByEmail(email) {
    const account = await find((await findEmail(email))?.id ?? nobody);
    // The claim was read before the account, whose email may have changed since.
    return account?.email === email ? account : undefined;
  },
});
