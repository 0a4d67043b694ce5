import * as z from "zod";
import { RebuildPortion } from "./rebuild-message.ts";
import { begin, goOn } from "./view-rebuild.ts";
import type { IndexWork } from "./view-work.ts";

const Portions = z.object({ changes: z.array(RebuildPortion) });

/**
 * Makes a view in this process, for a release that is not there yet and whose format the writer that is does not know.
 * What changes from here on it lacks; that release's writer makes it anew when it takes over.
 *
 * @returns false: another rebuild has taken its place
 */
export async function prepareIndex<Change>(work: IndexWork<Change>): Promise<boolean> {
  const waiting: RebuildPortion[] = [];
  let isAdopted = false;
  const here: IndexWork<Change> = {
    ...work,
    queue: {
      send: async (messages) => {
        for (const { body } of messages) waiting.push(...Portions.parse(body).changes);
      },
    },
    rebuilds: {
      ...work.rebuilds,
      adopt: async (...made) => (isAdopted = await work.rebuilds.adopt(...made)),
    },
  };
  await begin(here);
  for (let next = waiting.shift(); next; next = waiting.shift()) await goOn(next, here);
  return isAdopted;
}
