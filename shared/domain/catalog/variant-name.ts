import type { Product } from "./product.ts";

type Named = Pick<Product, "name" | "options">;
type Chosen = Pick<Product["variants"][number], "options">;

/** The labels of a variant's option values. */
export const variantLabels = ({ options }: Pick<Named, "options">, variant: Chosen): string[] =>
  options.flatMap(
    ({ code, values }) => values.find((value) => value.code === variant.options[code])?.label ?? [],
  );

/** The full name of a variant, such as "Lounge Chair, Oat". */
export const variantName = (product: Named, variant: Chosen): string =>
  [product.name, ...variantLabels(product, variant)].join(", ");
