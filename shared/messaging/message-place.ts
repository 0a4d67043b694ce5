import * as z from "zod";
import { Id } from "../domain/base/ids.ts";
import type { MessagePlace } from "../domain/inbox/message.ts";

/** The conversation and id of a message as a reference that WhatsApp returns with every status. */
const Written = z.tuple([Id("conv"), Id("msg")]);

export const writtenPlace = ({ conversation_id, id }: MessagePlace): string =>
  `${conversation_id}/${id}`;

/** Undefined if the reference is not one of ours. */
export function readPlace(written: string | undefined): MessagePlace | undefined {
  const place = Written.safeParse(written?.split("/")).data;
  return place && { conversation_id: place[0], id: place[1] };
}
