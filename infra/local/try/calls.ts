import { setTimeout as pause } from "node:timers/promises";

export interface TriedCall {
  /** Default: POST if there is something to send, else GET. */
  readonly method?: "POST" | "PUT" | "PATCH";
  /** May name variables, such as `$API/cart`. */
  readonly url: string;
  /** Each as `Name: value`; may name variables. */
  readonly headers?: readonly string[];
  readonly json?: object;
  /** Fields of a form, which may name variables. */
  readonly form?: Readonly<Record<string, string>>;
  /** User of basic authentication, without a password. */
  readonly user?: string;
}

/** Calls an API, and prints each call as a shell command and its result as a comment. What is printed is a script. */
export interface Calls {
  /** @throws Error if the answer is not 2xx */
  ask<Answer>(call: TriedCall): Promise<Answer>;
  /** Repeats a call, which it prints once, until its answer fulfils the condition. @throws Error after a minute */
  askUntil<Answer>(call: TriedCall, isReady: (answer: Answer) => boolean): Promise<Answer>;
  /** Downloads a file; the printed command saves it under this name. */
  download(call: TriedCall, name: string): Promise<Buffer>;
  /** Sets a shell variable that later calls can name. */
  keep(name: string, value: string): void;
  title(text: string): void;
  note(text: string): void;
}

const json = "Content-Type: application/json";
const patienceMs = 60_000;

export function openCalls(
  given: Readonly<Record<string, string>>,
  print: (line: string) => void,
): Calls {
  const variables = new Map<string, string>();
  const keep = (name: string, value: string) => {
    variables.set(name, value);
    print(`${name}='${value}'`);
  };
  for (const [name, value] of Object.entries({ ...given, JSON: json })) keep(name, value);

  const filled = (text: string) =>
    text.replaceAll(/\$([A-Z]+)/g, (_match, name: string) => variables.get(name) ?? "");

  async function send(call: TriedCall): Promise<Response> {
    const headers = new Headers(call.headers?.map((line) => pairOf(filled(line))));
    if (call.json) headers.set(...pairOf(json));
    if (call.user) headers.set("Authorization", `Basic ${btoa(`${call.user}:`)}`);
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(call.form ?? {})) form.set(name, filled(value));
    const url = filled(call.url);
    const method = methodOf(call);
    const response = await fetch(url, {
      method,
      headers,
      body: call.json ? JSON.stringify(call.json) : call.form ? form : null,
    });
    if (response.ok) return response;
    throw new Error(`${method} ${url} answered ${response.status}: ${await response.text()}`);
  }
  const answerTo = async <Answer>(call: TriedCall) => (await (await send(call)).json()) as Answer;

  return {
    ask(call) {
      print(`\n${curl(call)}`);
      return answerTo(call);
    },
    async askUntil<Answer>(call: TriedCall, isReady: (answer: Answer) => boolean) {
      print(`\n${curl(call)}`);
      for (const end = Date.now() + patienceMs; ; await pause(200)) {
        const answer = await answerTo<Answer>(call);
        if (isReady(answer)) return answer;
        if (Date.now() > end) throw new Error(`${call.url} did not change within a minute.`);
      }
    },
    async download(call, name) {
      print(`\n${curl(call)} -L -o ${name}`);
      for (const end = Date.now() + patienceMs; ; await pause(200)) {
        const response = await send(call);
        if (response.status !== 202) return Buffer.from(await response.arrayBuffer());
        if (Date.now() > end) throw new Error(`${call.url} was not made within a minute.`);
      }
    },
    keep,
    title: (text) => print(`\n\n# ${text}`),
    note: (text) => print(`# ${text}`),
  };
}

const methodOf = ({ method, json, form }: TriedCall) => method ?? (json || form ? "POST" : "GET");

function pairOf(header: string): [name: string, value: string] {
  const [name = "", value = ""] = header.split(": ");
  return [name, value];
}

/** The call as a command for bash. */
export function curl(call: TriedCall): string {
  const method = methodOf(call);
  const isImplied = method === (call.json || call.form ? "POST" : "GET");
  const body = call.json && `-d ${quoted(JSON.stringify(call.json))}`;
  const words = [
    isImplied ? "curl -s" : `curl -s -X ${method}`,
    `"${call.url}"`,
    call.user && `-u ${call.user}:`,
    ...(call.headers ?? []).map((header) => `-H "${header}"`),
    call.json && '-H "$JSON"',
    ...Object.entries(call.form ?? {}).map(([name, value]) => `-d "${name}=${value}"`),
  ].filter((word) => word !== undefined);
  const line = words.join(" ");
  if (!body) return line;
  return line.length + body.length < 100 ? `${line} ${body}` : `${line} \\\n  ${body}`;
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
