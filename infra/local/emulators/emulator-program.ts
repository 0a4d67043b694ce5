import { createRequire } from "node:module";

/** The emulator's version. `indexStream` depends on the database schema of this version. */
const version = "1.2.1";

/** Platforms for which the emulator has an npm package. Windows runs the stack in WSL, which is Linux. */
const published = new Set(["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"]);

const resolvePackage = createRequire(import.meta.url).resolve;

/**
 * Finds the DynamoDB emulator's binary, which has one npm package per platform.
 *
 * @param resolve returns the path of a file in an installed package; throws if it is not installed
 * @throws RangeError with instructions to install the emulator or to use another DynamoDB
 */
export function emulatorProgram(
  { platform, arch }: { readonly platform: string; readonly arch: string },
  resolve: (path: string) => string = resolvePackage,
): string {
  const name = `@dynoxide/${platform}-${arch}`;
  try {
    return resolve(`${name}/dynoxide`);
  } catch (cause) {
    throw new RangeError(missing(name, published.has(`${platform}-${arch}`)), { cause });
  }
}

function missing(name: string, isPublished: boolean): string {
  const dynamoDbLocal =
    "run DynamoDB Local (for instance: docker run -p 8000:8000 amazon/dynamodb-local) " +
    "and set DYNAMODB_ENDPOINT=http://127.0.0.1:8000.";
  return isPublished
    ? `The DynamoDB emulator for this machine is not installed. Get it: npm i --no-save ${name}@${version}. ` +
        `Or ${dynamoDbLocal}`
    : `There is no DynamoDB emulator for this machine (${name}). Instead, ${dynamoDbLocal}`;
}
