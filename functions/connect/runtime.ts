import * as crypto from "node:crypto";
import type { Opener, Parts } from "#shared/application/shop.ts";
import { openLog } from "#shared/runtime/log.ts";
import { wait } from "#shared/runtime/pause.ts";

/** @param name the name of the function in its log */
export const log =
  (name: string): Opener<Parts["log"]> =>
  () =>
    openLog(name);
export const now: Opener<Parts["now"]> = () => () => new Date();
// A monotonic clock may stand still while a function is frozen.
export const elapsed: Opener<Parts["elapsed"]> = () => () => Date.now();
export const pause: Opener<Parts["pause"]> = () => wait;
export const randomBytes: Opener<Parts["randomBytes"]> = () => crypto.randomBytes;
