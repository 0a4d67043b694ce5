import type { Destination } from "#shared/domain/contact/postal-code.ts";
import { postalCodeMatches } from "#shared/domain/contact/postal-code.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";

/**
 * The destination in a query.
 *
 * @throws AppError `validation_failed` when the postal code does not match its country's format
 */
export function destinationOf(
  { postal_code, country }: { postal_code: string; country?: string | undefined },
  { store }: Pick<Settings, "store">,
): Destination {
  const destination = { postal_code, country: country ?? store.country };
  if (postalCodeMatches(destination)) return destination;
  throw invalidField("postal_code", "The postal code field must be a valid postal code.");
}
