import { expect, test } from "vitest";
import { emulatorProgram } from "#infra/local/emulators/emulator-program.ts";
import manifest from "../../../package.json" with { type: "json" };

const version = manifest.optionalDependencies["@dynoxide/linux-x64"];
const dynamoDbLocal =
  "run DynamoDB Local (for instance: docker run -p 8000:8000 amazon/dynamodb-local) " +
  "and set DYNAMODB_ENDPOINT=http://127.0.0.1:8000.";
const missing = (path: string): string => {
  throw new Error(`Cannot find module '${path}'`);
};

test.each([
  ["linux", "x64"],
  ["linux", "arm64"],
  ["darwin", "x64"],
  ["darwin", "arm64"],
])(
  "the DynamoDB emulator on %s-%s comes from the npm package for that platform",
  (platform, arch) => {
    const found = emulatorProgram({ platform, arch }, (path) => `/installed/${path}`);
    expect(found).toBe(`/installed/@dynoxide/${platform}-${arch}/dynoxide`);
  },
);

test.each([
  ["linux", "x64"],
  ["linux", "arm64"],
  ["darwin", "x64"],
  ["darwin", "arm64"],
])(
  "on %s-%s, the error about a missing emulator package names the command that installs it, and DynamoDB Local as an alternative",
  (platform, arch) => {
    expect(() => emulatorProgram({ platform, arch }, missing)).toThrow(
      "The DynamoDB emulator for this machine is not installed. " +
        `Get it: npm i --no-save @dynoxide/${platform}-${arch}@${version}. Or ${dynamoDbLocal}`,
    );
  },
);

test.each([
  ["win32", "x64"],
  ["freebsd", "x64"],
  ["linux", "ppc64"],
])(
  "on %s-%s, for which no emulator package exists, the error names DynamoDB Local only",
  (platform, arch) => {
    expect(() => emulatorProgram({ platform, arch }, missing)).toThrow(
      `There is no DynamoDB emulator for this machine (@dynoxide/${platform}-${arch}). ` +
        `Instead, ${dynamoDbLocal}`,
    );
  },
);
