// @module-tag emulator
// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { type SettingsGroup, settingsGroupNames } from "#shared/domain/settings/settings.ts";
import { settingsInput } from "#shared/domain/settings/settings-forms.ts";
import { AnalyticsEvent } from "#shared/domain/metrics/analytics-event.ts";
import type { Route } from "#shared/http/route.ts";
import { everyRoute, paramsOf } from "#test/support/http/every-route.ts";
import type { EventParts } from "#test/support/http/in-process.ts";
import {
  fullList,
  hostileBytes,
  hostileShapes,
  hostileTexts,
} from "#test/support/hostile/hostile-values.ts";
import { cheapest, pricedCalls, referenceRefusal } from "#test/support/hostile/refusal-costs.ts";
import { type Member, membersOf, withMember } from "#test/support/http/schemas.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { environment } = await useShop();

/** API Gateway's limit for request line and headers is 10 KB. */
const addressBytes = 8_000;
const margin = 10;
const mostAnswered = 128 * 1024;

const placeholder = "the hostile value";
const callsOf = pricedCalls(environment);
const sent = { routes: 0, fields: new Set<string>(), kinds: new Set<string>(), calls: 0, worst: 0 };

interface Attempt {
  readonly field: string;
  readonly kind: string;
  readonly parts: () => EventParts;
}

/** A valid body in which this JSON replaces the value of one member, or the name of a map's entry. */
function bodyWith(good: unknown, path: Member["path"], json: string): string {
  const isEntry = path.at(-1) === "x" && json.startsWith('"');
  const at = isEntry ? [...path.slice(0, -1), placeholder] : path;
  const body = withMember(good, at, isEntry ? 0 : placeholder);
  return JSON.stringify(body).replace(JSON.stringify(placeholder), () => json);
}

function bodyAttempts(schema: z.ZodType, good: unknown, prefix: Member["path"] = []): Attempt[] {
  return membersOf(schema).flatMap((member) => {
    const path = [...prefix, ...member.path];
    const field = path.join(".");
    const attempt = (kind: string, json: () => string): Attempt => ({
      field,
      kind,
      parts: () => ({ body: bodyWith(good, path, json()) }),
    });
    const isText = member.types.has("string") || path.at(-1) === "x";
    const holdsMore = member.types.has("array") || member.types.has("object");
    return [
      ...(isText
        ? hostileTexts.map(({ kind, of }) => attempt(kind, () => JSON.stringify(of(hostileBytes))))
        : []),
      ...(holdsMore
        ? hostileShapes.map(({ kind, of }) => attempt(kind, () => of(hostileBytes)))
        : []),
      ...(member.types.has("array")
        ? [...hostileShapes, ...hostileTexts.slice(0, 1)].map(({ kind, of }) =>
            attempt(`a full list of ${kind}`, () =>
              fullList(member, (bytes) => {
                const value = of(bytes);
                return hostileTexts.some((text) => text.of === of) ? JSON.stringify(value) : value;
              }),
            ),
          )
        : []),
    ];
  });
}

const textAttempts = (
  schema: z.ZodType,
  partsOf: (name: string, text: string) => EventParts,
): Attempt[] =>
  membersOf(schema)
    .filter(({ path }) => path.length === 1)
    .flatMap(({ path: [name = ""] }) =>
      hostileTexts.map(({ kind, of }) => ({
        field: String(name),
        kind,
        parts: () => partsOf(String(name), of(addressBytes)),
      })),
    );

const good = (schema: z.ZodType | undefined) => schema?.meta()?.["example"] ?? {};

function attemptsOn(key: string, route: Route): Attempt[] {
  const { body, query, params, headers } = route.request;
  const named = Object.fromEntries(paramsOf(route).map((name) => [name, "nothing"]));
  const example = good(body);
  const at = (attempts: Attempt[], where: Record<string, string> = named) =>
    attempts.map((each) => ({
      ...each,
      parts: () => ({ params: where, ...(body && { body: example }), ...each.parts() }),
    }));
  const attempts = [
    ...(body ? at(bodyAttempts(body, example)) : []),
    ...(query ? at(textAttempts(query, (name, text) => ({ query: { [name]: text } }))) : []),
    ...(headers ? at(textAttempts(headers, (name, text) => ({ headers: { [name]: text } }))) : []),
    ...(params
      ? at(textAttempts(params, (name, text) => ({ params: { ...named, [name]: text } })))
      : []),
  ];
  if (key === "PUT /api/v1/admin/settings/{group}") {
    for (const group of settingsGroupNames as readonly SettingsGroup[]) {
      attempts.push(...at(bodyAttempts(settingsInput(group), {}), { group }));
    }
  }
  if (key === "POST /api/v1/analytics/events") {
    attempts.push(...at(bodyAttempts(AnalyticsEvent, { events: [] }, ["events", 0])));
  }
  return attempts;
}

const takesText = everyRoute.filter(({ route: { request } }) =>
  [request.body, request.query, request.params, request.headers].some(Boolean),
);

let reference: number;
beforeAll(async () => {
  reference = await referenceRefusal(callsOf);
});

describe.each(takesText)("$key", ({ key, route }) => {
  test("refuses any oversized input at the CPU cost of a few ordinary refusals, with a short response", async () => {
    const call = await callsOf(route);
    const faults: string[] = [];
    sent.routes += 1;
    for (const { field, kind, parts } of attemptsOn(key, route)) {
      sent.fields.add(`${key} ${field}`);
      sent.kinds.add(kind);
      sent.calls += 1;
      const made = parts();
      const { micros, status, bytes } = await call(made);
      const cost = micros <= margin * reference ? micros : await cheapest(call, made, 5);
      const name = `${field}, ${kind}`;
      sent.worst = Math.max(sent.worst, cost / reference);
      if (status >= 500) faults.push(`${name}: ${status}`);
      if (cost > margin * reference) {
        faults.push(`${name}: ${cost} µs, ${Math.round(cost / reference)} times`);
      }
      if (bytes > mostAnswered && status >= 400) faults.push(`${name}: answered ${bytes} bytes`);
    }
    expect(faults).toEqual([]);
  });
});

afterAll(() => {
  process.stdout.write(
    `Hostile input: ${sent.fields.size} fields of ${sent.routes} routes, ${sent.kinds.size} kinds, ${sent.calls} calls; the most expensive call cost as much as ${sent.worst.toFixed(1)} plain refusals of ${reference} µs.\n`,
  );
});
