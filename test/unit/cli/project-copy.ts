import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface ProjectCopy {
  readonly folder: string;
  /** Runs a program of Node in the copy, without the variables by which this test run is configured. */
  run(...args: readonly string[]): string;
  remove(): void;
}

/** A copy of the files that Git knows, for commands that write into the project. */
export function copyProject(): ProjectCopy {
  const folder = mkdtempSync(join(tmpdir(), "project-"));
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  for (const path of listed.split("\0").filter(Boolean))
    cpSync(join(root, path), join(folder, path));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return {
    folder,
    run(...args) {
      const { HOME = "", PATH = "" } = process.env;
      const { status, stdout, stderr } = spawnSync(process.execPath, args, {
        cwd: folder,
        env: { HOME, PATH },
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
      return stdout;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
