import { Logger } from "@aws-lambda-powertools/logger";

/** Structured log lines. Callers must not log secrets. */
export interface Log {
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
}

const printed =
  (level: string): Log["error"] =>
  (message, { cause, ...facts } = {}) =>
    console.error(JSON.stringify({ level, message, ...facts, cause: String(cause) }));

/** A fallback for when nothing else could be built, for example with an invalid environment. */
export const plainLog: Log = {
  info: printed("INFO"),
  warn: printed("WARN"),
  error: printed("ERROR"),
};

/** JSON lines for CloudWatch; the level comes from POWERTOOLS_LOG_LEVEL. */
export function openLog(service: string): Log {
  const logger = new Logger({ serviceName: service });
  return {
    info: (message, facts = {}) => logger.info(message, facts),
    warn: (message, facts = {}) => logger.warn(message, facts),
    error: (message, facts = {}) => logger.error(message, facts),
  };
}
