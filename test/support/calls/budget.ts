/** The budget of one call of an endpoint in DynamoDB. */
type Budget = readonly [requests: number, steps: number, read: number, write: number];

/**
 * Budgets of calls to a warm function, in the unchanged demo shop. Requests and sequential steps are exact, so that
 * every improvement is recorded here; capacity units are maximums. A name with a comma is a variant of a call.
 */
export type Budgets = Readonly<Record<string, Budget>>;

/**
 * The budgets of the routes that `recordRoutes` makes of a `rowStore`, and `publicRecords` if the noun is public.
 *
 * @param list the path of the list
 * @param paths of all routes
 */
export function recordBudgets(list: string, paths: ReadonlySet<string>): Budgets {
  const one = `${list}/${paths.has(`${list}/{slug}`) ? "{slug}" : "{id}"}`;
  const shown = list.replace("/admin/", "/");
  const isPublic = paths.has(`${shown}/{slug}`);
  // A public record also raises the public generation.
  const write = isPublic ? 11 : 7;
  return {
    [`GET ${list}`]: [2, 1, 4, 0],
    [`POST ${list}`]: [2, 2, 3, write],
    [`GET ${one}`]: [2, 1, 4, 0],
    [`PUT ${one}`]: [3, 2, 4, write],
    [`PATCH ${one}`]: [3, 2, 4, write],
    [`DELETE ${one}`]: [3, 2, 4, write],
    ...(isPublic && { [`GET ${shown}`]: [0, 0, 0, 0], [`GET ${shown}/{slug}`]: [0, 0, 0, 0] }),
  };
}
