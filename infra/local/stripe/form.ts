import { invalidRequest } from "./refusal.ts";

/** Parameters in Stripe's form encoding: `metadata[order_id]=…`, `expand[]=…`. */
export interface StripeForm {
  text(name: string): string | undefined;
  /** @throws Refusal unless the parameter is a positive integer */
  amount(name: string): number | undefined;
  list(name: string): string[];
  /** The values of the parameters `name[key]`, by key. */
  record(name: string): Record<string, string>;
}

export function formOf(encoded: URLSearchParams): StripeForm {
  const text = (name: string) => encoded.get(name) ?? undefined;
  return {
    text,
    amount(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      if (!/^[1-9]\d{0,11}$/.test(value)) {
        throw invalidRequest(`Invalid positive integer: ${value}`, {
          code: "parameter_invalid_integer",
          param: name,
        });
      }
      return Number(value);
    },
    list: (name) =>
      Array.from(encoded).flatMap(([key, value]) =>
        key === `${name}[]` || (key.startsWith(`${name}[`) && /\[\d+\]$/.test(key)) ? [value] : [],
      ),
    record: (name) =>
      Object.fromEntries(
        Array.from(encoded).flatMap(([key, value]) =>
          key.startsWith(`${name}[`) && key.endsWith("]")
            ? [[key.slice(name.length + 1, -1), value]]
            : [],
        ),
      ),
  };
}

/** Returns the value of a parameter. @throws Refusal if the parameter is missing */
export function requiredParam<Value>(value: Value | undefined, param: string): Value {
  if (value === undefined) {
    throw invalidRequest(`Missing required param: ${param}.`, { code: "parameter_missing", param });
  }
  return value;
}
