import { readFileSync } from "node:fs";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import type { Family } from "#functions/families.ts";
import type { Guard } from "#shared/auth/claims.ts";
import type { Entity } from "#shared/storage/entity.ts";
import { type Partitions, partitionsOf } from "#shared/storage/key-chart.ts";
import { Sessions, partitionOf } from "#shared/storage/sessions.ts";
import { bundleFile } from "#infra/bundle/bundle.ts";

/**
 * The partitions of the table that a function can have to do with: those of the entities in its bundle. A bundle
 * holds of our own modules what the function uses and no more, so that what is not there cannot be asked for.
 */
export function touchedBy(
  deployed: DeployedFunction | Family,
  entities: readonly Entity[],
  bundles: string,
): Partitions {
  const code = readFileSync(bundleFile(bundles, deployed.name), "utf8");
  const named = new Set([...code.matchAll(/\bname:["'`]([a-z_]+)["'`]/g)].map(([, name]) => name));
  const touched = entities
    .filter(({ name }) => named.has(name))
    .map((entity) => {
      const { table, indexes } = partitionsOf(entity);
      return { table: entity.name === Sessions.name ? ownSessions(deployed) : table, indexes };
    });
  return {
    table: distinct(touched.flatMap(({ table }) => table)),
    indexes: distinct(touched.flatMap(({ indexes }) => indexes)),
  };
}

/** Each once, without those that another covers. */
function distinct(patterns: readonly string[]): string[] {
  const covers = (one: string, other: string) =>
    one !== other && one.endsWith("*") && other.startsWith(one.slice(0, -1));
  return [...new Set(patterns)]
    .filter((pattern) => !patterns.some((other) => covers(other, pattern)))
    .toSorted();
}

/** Sessions stand with whom they belong to; a function reads those of the guards that its routes have. */
function ownSessions(deployed: DeployedFunction | Family): string[] {
  const routes = "routes" in deployed ? deployed.routes : [];
  const guards = new Set(
    routes.flatMap(({ access }): Guard[] => {
      if (access.guard === "none") return [];
      return [access.guard === "staff" ? "staff" : "customer"];
    }),
  );
  return [...guards].map((guard) => partitionOf(guard, "*"));
}
