import type { Log } from "#shared/runtime/log.ts";

type Partly<Taken> = {
  readonly [Name in keyof Taken]: Taken[Name] extends (...inputs: never[]) => unknown
    ? Taken[Name]
    : Partial<Taken[Name]>;
};

/** The parts that a function takes. A part may lack what the tested code does not use: a use of it throws. */
export const aShop = <Taken>(parts: Partly<Taken>): Taken => parts as Taken;

const nothing = () => undefined;
export const silentLog: Log = { info: nothing, warn: nothing, error: nothing };
