import * as z from "zod";
import { Id } from "../base/ids.ts";
import { MessageText } from "./message.ts";
import { Text, Timestamp } from "../base/text.ts";

/** The variables of quick replies. */
export const ReplyVariable = z.enum(["customer_name", "agent_name", "store_name", "order_number"]);
export type ReplyVariable = z.output<typeof ReplyVariable>;

const variable = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The distinct names in double braces, including unknown names. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(variable)].map(([, name = ""]) => name)),
];

const isVariable = (name: string): name is ReplyVariable =>
  ReplyVariable.options.some((known) => known === name);

const ReplyText = MessageText.refine((text) => variablesIn(text).every(isVariable), {
  message: `The text field may only contain these variables: ${ReplyVariable.options.map((name) => `{{${name}}}`).join(", ")}.`,
}).meta({ example: "Hello {{customer_name}}, your order {{order_number}} is on its way." });

/** A reusable text for staff. */
export const QuickReply = z
  .object({
    id: Id("qr"),
    title: Text(80).meta({ description: "Title that staff search by" }),
    text: ReplyText,
    version: z.int().min(1),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "QuickReply" });
export type QuickReply = z.output<typeof QuickReply>;

export const QuickReplyInput = z.strictObject({
  title: QuickReply.shape.title,
  text: QuickReply.shape.text,
});
export type QuickReplyInput = z.output<typeof QuickReplyInput>;

/** The known variables of a text. */
export const openIn = (text: string): ReplyVariable[] => variablesIn(text).filter(isVariable);

/**
 * The text with its variables filled in, or the variables that have no value.
 */
export function filledIn(
  text: string,
  values: Partial<Record<ReplyVariable, string | null>>,
): { text: string } | { missing: ReplyVariable[] } {
  const missing = openIn(text).filter((name) => (values[name] ?? null) === null);
  if (missing.length > 0) return { missing };
  return {
    text: text.replaceAll(variable, (whole, name: string) =>
      isVariable(name) ? (values[name] ?? whole) : whole,
    ),
  };
}
