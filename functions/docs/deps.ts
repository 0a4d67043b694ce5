import type { FrameDeps } from "#shared/http/serve.ts";
import { description, everyRoute } from "#functions/docs/description.ts";

export interface Deps extends FrameDeps {
  /** The description as JSON text, made or read at the first call. */
  openapi(): string;
}

export function connect(): Deps {
  let text: string | undefined;
  return { everyRoute: everyRoute(), openapi: () => (text ??= description()) };
}
