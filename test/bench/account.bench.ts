import { startStack } from "#infra/local/stack.ts";
import { argon2Cost, hashPassword } from "#shared/auth/passwords.ts";
import { aPassword, aMember, logIn } from "#test/support/people/members.ts";
import { sequentialSteps, totalUnits } from "#test/support/emulators/dynamodb-calls.ts";
import { startProxiedService } from "#test/support/stack/table.ts";
import { aPerson } from "#test/support/shop/shopping.ts";
import { type Section, median } from "./report.ts";

const logins = 101;
const hashes = 25;

/** Measures hashing a password, logins with known and unknown emails, and the session check of a read. */
export async function accountSection(): Promise<Section> {
  const stack = await startStack({ shop: "planted" });
  try {
    await stack.settled();
    const rows = [await hashing(), ...(await loggingIn(stack.baseUrl))];
    const service = await startProxiedService(stack.environment);
    try {
      rows.push(...(await guardedRead(service)));
    } finally {
      await service.stop();
    }
    return {
      title: "Account",
      note:
        "Milliseconds are medians of wall-clock time. A login must take as long for an unknown email as for a wrong " +
        "password (within 5 %). Requests and units are DynamoDB's, counted by a proxy.",
      columns: ["what", "value", "unit"],
      rows,
    };
  } finally {
    await stack.stop();
  }
}

type Row = [what: string, value: number, unit: string];

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function hashing(): Promise<Row> {
  const samples = [];
  for (let number = 0; number < hashes; number++) {
    samples.push(await timed(() => hashPassword(aPassword)));
  }
  const { memory, passes, parallelism } = argon2Cost;
  return [`argon2id, m=${memory} t=${passes} p=${parallelism}`, median(samples), "ms"];
}

/** Measures failed logins, alternating known and unknown emails, so that other load affects both equally. */
async function loggingIn(baseUrl: string): Promise<Row[]> {
  const known: number[] = [];
  const unknown: number[] = [];
  let email = "";
  for (let number = 0; number < logins; number++) {
    // An account accepts at most 20 failed logins an hour.
    if (number % 15 === 0) email = (await aMember(baseUrl)).email;
    const attempts = [
      { samples: known, address: email },
      { samples: unknown, address: aPerson().email },
    ];
    for (const { samples, address } of number % 2 === 0 ? attempts : attempts.toReversed()) {
      samples.push(await timed(() => logIn(baseUrl, address, "not the password")));
    }
  }
  // The difference of adjacent samples, because other load affects them equally.
  const difference = median(known.map((time, index) => time - (unknown[index] ?? 0)));
  return [
    ["failed login, known email", median(known), "ms"],
    ["failed login, unknown email", median(unknown), "ms"],
    ["difference", (100 * Math.abs(difference)) / median(known), "%"],
  ];
}

async function guardedRead({
  baseUrl,
  proxy,
}: Awaited<ReturnType<typeof startProxiedService>>): Promise<Row[]> {
  const { client, headers } = await aMember(baseUrl);
  await client.get("/addresses", headers);
  const { calls } = await proxy.record(() => client.get("/addresses", headers));
  const guard = calls.filter(({ operation }) => operation === "BatchGetItem");
  return [
    ["guarded read: requests of its own", calls.length - guard.length, "requests"],
    ["guarded read: requests of the guard", guard.length, "BatchGetItem"],
    ["guarded read: units of the guard", totalUnits(guard).read, "read units"],
    ["guarded read: steps", sequentialSteps(calls), "steps"],
  ];
}
