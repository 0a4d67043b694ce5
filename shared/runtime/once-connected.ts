import { because, causeOfEvent } from "./cause.ts";
import { count } from "./count.ts";

/** A Lambda handler whose dependencies are built from the environment once, on the first event. */
export function onceConnected<Event, Result, Deps>(
  handle: (event: Event, deps: Deps) => Promise<Result>,
  connect: (environment: NodeJS.ProcessEnv) => Deps,
): (event: Event) => Promise<Result> {
  let deps: Deps | undefined;
  return (event) =>
    because(causeOfEvent(event), () => {
      if (!deps) {
        void count("ColdStarts");
        deps = connect(process.env);
      }
      return handle(event, deps);
    });
}
