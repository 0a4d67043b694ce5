import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { emulatorProgram } from "./emulator-program.ts";
import { freePort } from "./free-port.ts";

interface Dynoxide {
  readonly endpoint: string;
  /** @param signal SIGKILL ends it as a power cut would */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

const attempts = 5;

/**
 * Starts the DynamoDB emulator on a free port of loopback.
 *
 * @param file its SQLite database
 * @param scratch a directory to delete should this process die before `stop`
 * @throws Error that says what to do where there is no emulator for this platform
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
        // Ctrl-C in a terminal reaches the whole group; the emulator has to outlive the calls under way.
        detached: true,
      },
    );
    const failure = await outcome(emulator);
    if (failure === undefined) return supervise(emulator, `http://127.0.0.1:${port}`, scratch);
    if (attempt === attempts) throw new Error(`The DynamoDB emulator does not start: ${failure}`);
  }
}

/** @returns undefined once it listens; what it said if it ended instead, as it does when the port was taken meanwhile */
function outcome(emulator: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let said = "";
    emulator.once("error", reject);
    emulator.once("close", () => resolve(said.trim()));
    emulator.stderr?.on("data", (chunk: Buffer) => {
      said += chunk;
      if (said.includes("listening on")) resolve(undefined);
    });
  });
}

/**
 * Nothing may be left behind, however this process ends. A watching shell holds the other end of a pipe that
 * the kernel closes with this process, be it by SIGKILL; then it ends the emulator and deletes its scratch.
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

/** A stack that nobody stops must not keep the process from ending. */
function letGo(held: unknown): void {
  (held as { unref?(): void } | null)?.unref?.();
}
