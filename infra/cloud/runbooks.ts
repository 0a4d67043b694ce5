/** `urgent`: buyers are affected or data may be lost, act immediately. `soon`: act within a working day. */
type Severity = "urgent" | "soon";

/** Causes of alarms. Each has a section of this name in `infra/runbooks.md` that says what to do. */
const severities = {
  "api-errors": "urgent",
  "api-slow": "soon",
  "function-errors": "urgent",
  "server-errors": "urgent",
  "function-slow": "soon",
  "functions-throttled": "urgent",
  "changes-delayed": "urgent",
  "schedule-stopped": "urgent",
  "messages-waiting": "soon",
  "messages-postponed": "soon",
  "dead-letters": "urgent",
  "changes-failed": "urgent",
  "table-throttled": "urgent",
  "mail-bounces": "urgent",
  "mail-complaints": "urgent",
  "cdn-errors": "urgent",
} as const satisfies Record<string, Severity>;
export type Runbook = keyof typeof severities;

export const runbookPage = "infra/runbooks.md";

/** An alarm's description: how urgent it is, what has happened, and where to read what to do. */
export const described = (runbook: Runbook, description: string): string =>
  `[${severities[runbook]}] ${description} What to do: ${runbookPage}#${runbook}`;
