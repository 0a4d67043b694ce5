import * as z from "zod";
import { Id } from "../domain/base/ids.ts";
import type { MessageKey } from "../domain/inbox/message.ts";

/** The key of a message as text. WhatsApp returns this reference with every status of the message. */
const Reference = z.tuple([Id("conv"), Id("msg")]);

export const formatMessageReference = ({ conversation_id, id }: MessageKey): string =>
  `${conversation_id}/${id}`;

/** Parses a reference; undefined if the text is no reference of this service. */
export function parseMessageReference(text: string | undefined): MessageKey | undefined {
  const parts = Reference.safeParse(text?.split("/")).data;
  return parts && { conversation_id: parts[0], id: parts[1] };
}
