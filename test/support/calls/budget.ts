/** The budget of one call of an endpoint in DynamoDB. */
type Budget = readonly [requests: number, steps: number, read: number, write: number];

/**
 * Budgets of calls to a warm function, in the unchanged demo shop. Requests and sequential steps are exact, so that
 * every improvement is recorded here; capacity units are maximums. A name with a comma is a variant of a call.
 */
export type Budgets = Readonly<Record<string, Budget>>;
