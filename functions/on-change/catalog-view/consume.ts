import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { updateCatalogView } from "#shared/catalog-view/catalog-writer.ts";
import { RebuildOver, rebuildTarget, rebuildUnderWay } from "#shared/catalog-view/rebuild.ts";
import { UnreadableView } from "#shared/catalog-view/view-format.ts";
import { type CatalogChange, CatalogChanges } from "../catalog-change.ts";
import { workThrough } from "../work-through.ts";
import type { Deps } from "./deps.ts";
import { begin, goOn } from "./rebuild.ts";
import { viewChanges } from "./view-changes.ts";

/** Brings the catalog view up to what is published now. Safe to repeat. */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  return workThrough(Records, CatalogChanges, (changes) => bringUp(changes, deps), deps.log);
}

async function bringUp(changes: readonly CatalogChange[], deps: Deps): Promise<void> {
  const portions = changes.filter((change) => change.kind === "rebuild-portion");
  const others = changes.filter(({ kind }) => kind !== "rebuild" && kind !== "rebuild-portion");
  try {
    if (others.length > 0) await lay(others, deps);
    if (changes.some(({ kind }) => kind === "rebuild")) await begin(deps);
    for (const portion of portions) await goOn(portion, deps);
  } catch (cause) {
    if (!(cause instanceof UnreadableView)) throw cause;
    deps.log.warn("The catalog view is of another release and is made anew", { cause });
    await begin(deps);
  }
}

/** Over the view, and over the one that is being made anew: what it has read already may be old by now. */
async function lay(changes: readonly CatalogChange[], deps: Deps): Promise<void> {
  const { target, rebuilds } = deps;
  const underWay = await rebuildUnderWay(rebuilds, target);
  const layOver = (view: Deps["target"]) =>
    updateCatalogView(view, (catalog) => viewChanges(changes, catalog, deps));
  try {
    await layOver(target);
  } catch (cause) {
    // The new one takes its place soon.
    if (!(cause instanceof UnreadableView && underWay)) throw cause;
  }
  if (!underWay) return;
  try {
    await layOver(rebuildTarget(target, rebuilds, underWay.id));
  } catch (cause) {
    if (!(cause instanceof RebuildOver)) throw cause;
    await lay(changes, deps);
  }
}
