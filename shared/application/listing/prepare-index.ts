import * as z from "zod";
import { RebuildPortion } from "#shared/queues/queue-messages.ts";
import { begin, continueRebuild } from "./rebuild-index.ts";
import type { IndexWork } from "./index-work.ts";

const Portions = z.object({ changes: z.array(RebuildPortion) });

/**
 * Builds the read model of the next release in this process, because the deployed release cannot write the new index
 * format. The read model lacks later changes until the next release is deployed and rebuilds it.
 *
 * @returns false if another rebuild has replaced this one
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
      adopt: async (...pointer) => (isAdopted = await work.rebuilds.adopt(...pointer)),
    },
  };
  await begin(here);
  for (let next = waiting.shift(); next; next = waiting.shift()) await continueRebuild(next, here);
  return isAdopted;
}
