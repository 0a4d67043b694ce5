import * as z from "zod";
import { Id } from "../domain/base/ids.ts";
import type { MessagePlace } from "../domain/inbox/message.ts";

/** Where a message stands, as WhatsApp carries it along and gives it back with every status. */
const Written = z.tuple([Id("conv"), Id("msg")]);

export const writtenPlace = ({ conversation_id, id }: MessagePlace): string =>
  `${conversation_id}/${id}`;

/** Undefined where it is none of ours. */
export function readPlace(written: string | undefined): MessagePlace | undefined {
  const place = Written.safeParse(written?.split("/")).data;
  return place && { conversation_id: place[0], id: place[1] };
}
