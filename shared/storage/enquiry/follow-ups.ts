import * as z from "zod";
import { type StoredLead, isOpenLead } from "../../domain/enquiry/lead.ts";
import { entity } from "../entity.ts";
import { type Write, put, remove } from "../writes.ts";

/** The partition of the open leads with a follow-up, sorted by its time. */
export const followUpList = "FOLLOWUPS";

/** The open leads that staff will follow up, by the time in UTC. */
export const FollowUps = entity({
  name: "follow_up",
  notExported: "derived",
  schema: z.object({ id: z.string() }),
  key: ({ at, id }: { at: string; id: string }) => ({ pk: followUpList, sk: `${at}#${id}` }),
});

type Followed = Pick<StoredLead, "id" | "status" | "follow_up_at">;

/** The writes that keep the list of follow-ups in step with a lead. */
export function followUpWrites(before: Followed, after: Followed): Write[] {
  const { id } = after;
  const [was, is] = [followUpOf(before), followUpOf(after)];
  if (was === is) return [];
  return [
    ...(was === undefined ? [] : [remove(FollowUps, { at: was, id })]),
    ...(is === undefined ? [] : [put(FollowUps, { at: is, id })]),
  ];
}

const followUpOf = ({ status, follow_up_at }: Followed): string | undefined =>
  follow_up_at !== null && isOpenLead(status) ? new Date(follow_up_at).toISOString() : undefined;
