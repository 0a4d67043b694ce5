import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { emulatorProgram } from "./emulator-program.ts";
import { freePort } from "./free-port.ts";

interface Dynoxide {
  readonly endpoint: string;
  /** @param signal SIGKILL simulates a power cut */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

const attempts = 5;

/**
 * Starts the DynamoDB emulator on a free loopback port.
 *
 * @param file its SQLite database
 * @param scratch a directory to delete if this process dies before `stop`
 * @throws Error with instructions if there is no emulator for this platform
 */
export async function startDynoxide(file: string, scratch: string): Promise<Dynoxide> {
  const program = emulatorProgram(process);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const emulator = spawn(
      program,
      ["serve", "--host", "127.0.0.1", "--port", String(port), "--db-path", file],
      {
        stdio: ["ignore", "ignore", "pipe"],
        // Ctrl-C signals the whole process group; the emulator must outlive calls in progress.
        detached: true,
      },
    );
    const failure = await outcome(emulator);
    if (failure === undefined) return supervise(emulator, `http://127.0.0.1:${port}`, scratch);
    if (attempt === attempts) throw new Error(`The DynamoDB emulator did not start: ${failure}`);
  }
}

/**
 * @returns undefined once the emulator listens; its output if it exited instead, for example because the port was
 *   taken
 */
function outcome(emulator: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let output = "";
    emulator.once("error", reject);
    emulator.once("close", () => resolve(output.trim()));
    emulator.stderr?.on("data", (chunk: Buffer) => {
      output += chunk;
      if (output.includes("listening on")) resolve(undefined);
    });
  });
}

/**
 * The emulator must stop however this process ends. A shell waits on a pipe that the kernel closes when this process
 * ends, even by SIGKILL. The shell then stops the emulator and deletes its scratch directory.
 */
function supervise(emulator: ChildProcess, endpoint: string, scratch: string): Dynoxide {
  const afterwards = 'read -r _; kill "$1"; sleep 1; kill -9 "$1"; rm -rf -- "$2"';
  const watcher = spawn("sh", ["-c", afterwards, "watcher", String(emulator.pid), scratch], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  for (const held of [emulator, watcher, emulator.stderr, watcher.stdin]) letGo(held);
  emulator.stderr?.removeAllListeners("data").resume();

  return {
    endpoint,
    async stop(signal = "SIGTERM") {
      const running = emulator.exitCode === null && emulator.signalCode === null;
      const ended = running ? once(emulator, "exit") : undefined;
      emulator.ref();
      emulator.kill(signal);
      await ended;
      watcher.kill("SIGKILL");
    },
  };
}

/** Lets the process exit even if nobody stops the stack. */
function letGo(held: unknown): void {
  (held as { unref?(): void } | null)?.unref?.();
}
