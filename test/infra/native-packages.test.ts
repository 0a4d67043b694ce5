// @module-tag slow
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { families } from "#functions/families.ts";
import { addNativePackages } from "#infra/bundle/native-packages.ts";

const withPackages = [...families, ...consumers].filter(({ packages }) => packages !== undefined);

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "native-packages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("bundling adds the lockfile's versions of each function's native packages, built for the chosen architecture", async () => {
  const folder = temporaryFolder();
  await addNativePackages(withPackages, folder, "arm64");
  const { packages: locked } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { version: string }>;
  };
  for (const { name, packages = [] } of withPackages) {
    for (const each of packages) {
      const manifest = join(folder, name, "node_modules", each, "package.json");
      const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
      expect([each, version]).toEqual([each, locked[`node_modules/${each}`]?.version]);
    }
  }
  const native = (name: string, each: string) =>
    existsSync(join(folder, name, "node_modules", each));
  expect(native("on-change-media", "@img/sharp-linux-arm64")).toBe(true);
  expect(native("on-change-media", "@img/sharp-linux-x64")).toBe(false);
  expect(native("account", "@node-rs/argon2-linux-arm64-gnu")).toBe(true);
});

test("synth fails with an explanation if npm cannot install the native packages", async () => {
  vi.stubEnv("npm_config_registry", "http://127.0.0.1:9/");
  vi.stubEnv("npm_config_cache", temporaryFolder());
  vi.stubEnv("npm_config_fetch_retries", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = temporaryFolder();
  await expect(addNativePackages(withPackages, folder, "x64", folder)).rejects.toThrow(
    "npm could not install the native packages for Lambda on x64. Check that the registry can be reached",
  );
});
