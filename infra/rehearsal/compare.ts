import { demoLogins } from "#infra/local/demo/data/staff.ts";

/** A deployment whose answers are compared. */
interface Shop {
  readonly baseUrl: string;
  /** Tokens by the guard of the description's security schemes. */
  readonly tokens: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | null>>;
  /** Paths of the members. */
  readonly members: readonly string[];
  readonly body: unknown;
}

/** Headers whose values do not differ between calls. MiniStack adds `Vary: Origin` to every answer. */
const comparedHeaders = [
  "content-type",
  "cache-control",
  "x-content-type-options",
  "strict-transport-security",
  "content-security-policy",
  "content-disposition",
  "link",
];

interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly security?: Operation["security"];
}

async function get(url: string, token?: string): Promise<Answer> {
  const answer = await fetch(url, {
    redirect: "manual",
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
  const body: unknown = isJson && text !== "" ? JSON.parse(text) : undefined;
  return {
    status: answer.status,
    headers: Object.fromEntries(comparedHeaders.map((name) => [name, answer.headers.get(name)])),
    members: [...new Set(membersOf(body))].toSorted(),
    body,
  };
}

/** Paths of the members of a value, with those of a list's first item. */
function membersOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : membersOf(value[0], `${path}[]`);
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => membersOf(member, `${path}.${name}`));
}

/** What differs between two answers; undefined if nothing does. */
function differenceOf(deployed: Answer, local: Answer): string | undefined {
  const facts = ({ status, headers, members }: Answer) => [
    `status ${status}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...members,
  ];
  const [there, here] = [new Set(facts(deployed)), new Set(facts(local))];
  const lines = [
    ...[...there.difference(here)].map((fact) => `  deployed: ${fact}`),
    ...[...here.difference(there)].map((fact) => `  local:    ${fact}`),
  ];
  return lines.length === 0 ? undefined : lines.join("\n");
}

async function signIn(baseUrl: string, email: string, password: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/v1/admin/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  return data.token;
}

/**
 * Sends every GET of the description to both shops, which hold the same demo data, as its owner.
 *
 * @returns how many were compared, and a line for each whose status, compared headers or members differ
 */
export async function compareReads(
  deployed: string,
  local: string,
): Promise<{ compared: number; differences: string[] }> {
  const { email, password } = demoLogins.find(({ role }) => role === "owner")!;
  const shops = await Promise.all(
    [deployed, local].map(async (baseUrl): Promise<Shop> => {
      return { baseUrl, tokens: { staff: await signIn(baseUrl, email, password) } };
    }),
  );
  const description = (await (await fetch(`${local}/docs/api.json`)).json()) as Description;
  const differences: string[] = [];
  const reads = Object.entries(description.paths).filter(([, { get: read }]) => read !== undefined);
  for (const [path, { get: read }] of reads) {
    const isStaffs = JSON.stringify(read?.security ?? description.security ?? []).includes("staff");
    const filled = await fill(path, shops[1]!);
    const [there, here] = await Promise.all(
      shops.map(({ baseUrl, tokens }) =>
        get(`${baseUrl}${filled}`, isStaffs ? tokens["staff"] : undefined),
      ),
    );
    const difference = differenceOf(there!, here!);
    if (difference !== undefined) differences.push(`${filled}\n${difference}`);
  }
  return { compared: reads.length, differences };
}

/** Fills the parameters of a path with those of the first record in the list above it; an unknown one without a list. */
async function fill(path: string, { baseUrl, tokens }: Shop): Promise<string> {
  const [before, name, after] = path.split(/\{(\w+)\}(.*)/s) as [string, string?, string?];
  if (name === undefined || after === undefined) return path;
  const { body } = await get(`${baseUrl}${before.replace(/\/$/, "")}`, tokens["staff"]);
  const { data } = (body ?? {}) as { data?: Record<string, unknown>[] };
  const value = Array.isArray(data) ? data[0]?.[name] : undefined;
  const known = typeof value === "string" ? value : "unknown";
  return fill(`${before}${encodeURIComponent(known)}${after}`, { baseUrl, tokens });
}
