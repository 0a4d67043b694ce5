import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "#infra/local/emulators/free-port.ts";

/** The package of PyPI. A new version is tried without each strip: `npm run rehearse -- --without-strips`. */
const version = "1.5.33";

const kept = join(import.meta.dirname, "../../.local", `ministack-${version}`);

/** MiniStack, or Python with pip to install it, is missing on this machine. */
export class NoMiniStack extends Error {}

/** MiniStack running on loopback. */
export interface MiniStack {
  readonly endpoint: string;
  /** For programs that use the AWS SDK or the CDK CLI. */
  readonly environment: NodeJS.ProcessEnv;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The same MiniStack, for calls to another region. Also those of this process go there from now on. */
export function inRegion(aws: MiniStack, region: string): MiniStack {
  const regions = { AWS_REGION: region, AWS_DEFAULT_REGION: region };
  Object.assign(process.env, aws.environment, regions);
  return { ...aws, environment: { ...aws.environment, ...regions } };
}

/**
 * Installs MiniStack into a virtual environment under `.local`, unless it is there.
 *
 * @throws NoMiniStack if there is no Python 3.11 or newer, or the package cannot be downloaded
 */
function install(): string {
  const program = join(kept, "bin/ministack");
  if (existsSync(program)) return program;
  const run = (command: string, ...args: string[]) => {
    const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
    if (status === 0) return;
    rmSync(kept, { recursive: true, force: true });
    throw new NoMiniStack(error?.message ?? stderr.trim().split("\n").at(-1));
  };
  run(
    "python3",
    "-c",
    "import sys, venv; sys.exit(sys.version_info < (3, 11) and 'Python is too old')",
  );
  mkdirSync(dirname(kept), { recursive: true });
  run("python3", "-m", "venv", kept);
  run(join(kept, "bin/pip"), "install", "--quiet", `ministack==${version}`);
  return program;
}

/**
 * Starts MiniStack, which keeps everything in memory, and checks every call against the caller's policies.
 *
 * @param options.log file for its output
 * @throws NoMiniStack if it cannot be installed
 */
export async function startMiniStack({ log }: { readonly log: string }): Promise<MiniStack> {
  const program = install();
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const credentials = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: "eu-west-1",
    AWS_DEFAULT_REGION: "eu-west-1",
    // An access key of twelve digits is the account's root user.
    AWS_ACCESS_KEY_ID: "000000000000",
    AWS_SECRET_ACCESS_KEY: "test",
  };
  const output = openSync(log, "w");
  const child = spawn(program, [], {
    stdio: ["ignore", output, output],
    detached: true,
    env: {
      ...process.env,
      ...credentials,
      BIND_HOST: "127.0.0.1",
      GATEWAY_PORT: String(port),
      MINISTACK_REGION: "eu-west-1",
      MINISTACK_HOST: "localhost",
      AUTH: "true",
      SFTP_ENABLED: "0",
      // Without Docker, it runs functions as processes of the Node that is first in PATH.
      DOCKER_HOST: "unix:///nonexistent.sock",
      PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
      NODE_OPTIONS: `--require ${join(import.meta.dirname, "function-process.cjs")}`,
    },
  });
  closeSync(output);
  const ended = once(child, "exit");
  await untilReady(endpoint, () => child.exitCode);
  return {
    endpoint,
    environment: {
      ...process.env,
      ...credentials,
      NODE_OPTIONS: `--require ${join(import.meta.dirname, "host-names.cjs")}`,
    },
    pid: child.pid!,
    async stop() {
      // The group has the functions' processes too.
      process.kill(-child.pid!, "SIGTERM");
      const forced = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), 10_000);
      await ended;
      clearTimeout(forced);
    },
  };
}

async function untilReady(endpoint: string, exitCode: () => number | null): Promise<void> {
  for (;;) {
    const answer = await fetch(`${endpoint}/_ministack/health`).catch(() => undefined);
    if (answer?.ok) return;
    if (exitCode() !== null) throw new Error(`MiniStack ended with ${exitCode()}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
