import { Logger } from "@aws-lambda-powertools/logger";
import { currentCause, lineFacts } from "./cause.ts";

/** Structured log lines, each with the cause of the current work. Callers must not log secrets. */
export interface Log {
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
}

const printed =
  (level: string): Log["error"] =>
  (message, { cause, ...facts } = {}) =>
    console.error(
      JSON.stringify({ level, message, ...lineFacts(), ...facts, cause: String(cause) }),
    );

/** A logger without dependencies, for example when the environment is invalid. */
export const plainLog: Log = {
  info: printed("INFO"),
  warn: printed("WARN"),
  error: printed("ERROR"),
};

/** JSON lines for CloudWatch; the level comes from POWERTOOLS_LOG_LEVEL. */
export function openLog(service: string): Log {
  const logger = new Logger({ serviceName: service });
  return {
    info: (message, facts) => logger.info(message, { ...currentCause(), ...facts }),
    warn: (message, facts) => logger.warn(message, { ...currentCause(), ...facts }),
    error: (message, facts) => logger.error(message, { ...currentCause(), ...facts }),
  };
}
