/** Result of a check. `ok`: no problem; `note`: the operator should know it; `problem`: the deployment would fail. */
export interface Finding {
  readonly level: "ok" | "note" | "problem";
  /** What the check found, and what the operator should do. */
  readonly message: string;
}

export const ok = (message: string): Finding => ({ level: "ok", message });
export const note = (message: string): Finding => ({ level: "note", message });
export const problem = (message: string): Finding => ({ level: "problem", message });

/** The name of an AWS error, such as `AccessDeniedException`. */
export const errorName = (cause: unknown): string =>
  cause instanceof Error ? cause.name : String(cause);

/** The message of an AWS error. For a denied call it says which permission is missing. */
export const wordsOf = (cause: unknown): string =>
  cause instanceof Error && cause.message !== "" ? cause.message : errorName(cause);
