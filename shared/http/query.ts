import * as z from "zod";
import { LimitedString } from "../domain/base/text.ts";

// An invalid value aborts the validation, so that no rule between members sees it before it is transformed.
const Digits = z.stringFormat("integer", /^-?\d{1,30}$/, { abort: true });

/** A whole number in a query: digits with an optional sign. `0x10`, `1e1`, ` 7 ` and an empty value are refused. */
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

interface ListLimits {
  /** The most values. */
  readonly most?: number;
  /** The longest text of all values. */
  readonly length?: number;
  readonly description?: string;
}

/** A filter with alternatives: `grey,blue`. */
export const anyOf = <Value extends z.ZodType>(
  value: Value,
  example: string,
  { most = 40, length = 600, description = "Comma-separated" }: ListLimits = {},
) =>
  LimitedString(length)
    .min(1, { abort: true })
    .transform((text) => text.split(","))
    // Values of queries are texts before they are parsed.
    .pipe(z.array(value).max(most) as z.ZodType<z.output<Value>[], string[]>)
    .optional()
    .meta({
      describedAs: z
        .array(value)
        .min(1)
        .max(most)
        .optional()
        .meta({
          description,
          example: example.split(",").map((text) => (/^\d+$/.test(text) ? Number(text) : text)),
          param: { style: "form", explode: false },
        }),
    });

/** A boolean in a query: `true` or `false`, and also `1` or `0`. */
export const flag = z
  .enum(["true", "false", "1", "0"])
  .transform((text) => text === "true" || text === "1")
  .meta({
    override: ({ jsonSchema }) => {
      delete jsonSchema.enum;
      jsonSchema.type = "boolean";
    },
  });
