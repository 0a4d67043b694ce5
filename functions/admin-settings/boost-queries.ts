import { invalidFields } from "#shared/domain/request/app-error.ts";
import type { SearchSettings } from "#shared/domain/settings/search-settings.ts";
import { canonicalQuery } from "#shared/search/words.ts";

/**
 * Refuses a boost whose query has no searchable words, or the same words as the query of an earlier boost.
 *
 * @throws AppError `validation_failed`
 */
export function requireDistinctQueries({ boosts }: SearchSettings): void {
  const keys = boosts.map(({ query }) => canonicalQuery(query));
  const problems = keys.flatMap((key, position) => {
    const message = problemOf(key, keys.indexOf(key) < position);
    return message === undefined ? [] : [{ path: `boosts.${position}.query`, message }];
  });
  if (problems.length > 0) throw invalidFields(problems);
}

function problemOf(key: string, isRepeated: boolean): string | undefined {
  if (key === "") return "Search ignores all words of this query. Please add another word.";
  return isRepeated ? "Search reads this query like that of another boost." : undefined;
}
