import { families } from "#functions/families.ts";
import { describe } from "#shared/http/openapi.ts";
import type { FrameDeps } from "#shared/http/serve.ts";

export interface Deps extends FrameDeps {
  /** The description as JSON text, made at the first call. */
  openapi(): string;
}

export function connect(): Deps {
  let text: string | undefined;
  return {
    everyRoute: families.flatMap(({ routes }) => routes),
    openapi: () =>
      (text ??= JSON.stringify(
        describe(families, { title: "Furniture storefront", version: "1.0.0" }),
      )),
  };
}
