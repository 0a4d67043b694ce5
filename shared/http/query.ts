import * as z from "zod";
import { LimitedString } from "../domain/base/text.ts";

// Rules between members are not judged where one of them is no number.
const Digits = z.stringFormat("integer", /^-?\d{1,30}$/, { abort: true });

/** A whole number as a query spells it: digits with an optional sign, so that `0x10`, `1e1`, ` 7 ` and nothing at all are refused. */
export const wholeNumber = (min: number, max: number) =>
  Digits.transform((digits) => Number(digits) + 0)
    .pipe(z.int().min(min).max(max))
    .meta({
      override: ({ jsonSchema }) => {
        delete jsonSchema.format;
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: "integer", minimum: min, maximum: max });
      },
    });

/** A filter of several alternatives: `grey,blue`. */
export const anyOf = <Value extends z.ZodType>(value: Value, example: string) =>
  LimitedString(600)
    .min(1)
    .transform((text) => text.split(","))
    .pipe(z.array(value).max(40) as z.ZodType<z.output<Value>[], string[]>)
    .optional()
    .meta({ description: "Alternatives, comma-separated", example });

/** A yes or no in a query. */
export const flag = z
  .enum(["true", "false", "1", "0"])
  .transform((text) => text === "true" || text === "1");
