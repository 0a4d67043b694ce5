import type { Doing } from "../storage/activity.ts";
import type { Call } from "./route.ts";

/** Who does something in a call, for the activity log; for routes that staff alone reach. */
export function doingOf({
  actor,
  requestId,
  now,
}: Pick<Call, "actor" | "requestId" | "now">): Doing {
  if (actor.kind !== "staff") throw new TypeError("Only staff reach this");
  return { actor, requestId, now };
}
