import type { StackOptions } from "./stack.ts";

const defaultPort = 3000;
const defaultTable = "furniture-storefront";

/**
 * Reads the environment variables PORT (0: any free port), DATA_DIR, DYNAMODB_ENDPOINT, TABLE_NAME and SETTINGS_KEYS.
 *
 * @throws RangeError with a message for the operator
 */
export function stackOptions(environment: NodeJS.ProcessEnv): StackOptions {
  return {
    port: portOf(environment["PORT"]),
    dataDir: environment["DATA_DIR"] || undefined,
    dynamoDbEndpoint: endpointOf(environment["DYNAMODB_ENDPOINT"]),
    tableName: environment["TABLE_NAME"] || defaultTable,
    ...settingsKeys(environment["SETTINGS_KEYS"]),
  };
}

/** The keys that encrypt secrets in a table which outlives the stack. */
function settingsKeys(given: string | undefined): Pick<StackOptions, "environment"> {
  return given ? { environment: { SETTINGS_KEYS: given } } : {};
}

function endpointOf(given: string | undefined): string | undefined {
  if (!given) return undefined;
  if (!/^https?:$/.test(URL.parse(given)?.protocol ?? "")) {
    throw new RangeError(
      `DYNAMODB_ENDPOINT must be a URL such as http://127.0.0.1:8000, not "${given}".`,
    );
  }
  return given;
}

function portOf(given: string | undefined): number {
  if (!given) return defaultPort;
  const port = Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`PORT must be a number from 0 to 65535, not "${given}".`);
  }
  return port;
}
