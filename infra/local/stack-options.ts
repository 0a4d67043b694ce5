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
function settingsKeys(value: string | undefined): Pick<StackOptions, "environment"> {
  return value ? { environment: { SETTINGS_KEYS: value } } : {};
}

function endpointOf(value: string | undefined): string | undefined {
  if (!value) return undefined;
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? "")) {
    throw new RangeError(
      `DYNAMODB_ENDPOINT must be a URL such as http://127.0.0.1:8000, not "${value}".`,
    );
  }
  return value;
}

function portOf(value: string | undefined): number {
  if (!value) return defaultPort;
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`PORT must be a number from 0 to 65535, not "${value}".`);
  }
  return port;
}
