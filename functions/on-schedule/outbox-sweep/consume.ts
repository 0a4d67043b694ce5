import { sweepOutbox } from "#shared/application/mail/sweep-outbox.ts";
import type { Deps } from "./deps.ts";

/** Enqueues outbox rows and ids of erased customers again whose message was lost. Safe to repeat. */
export const consume = (_event: unknown, deps: Deps): Promise<void> => sweepOutbox(deps);
