import type { OptionGroup, SofaModel, PublishedSofa } from "./sofa.ts";
import { type MaterialFactsByCode, isChoiceAvailable, materialCodes } from "./sofa-choices.ts";
import { amountOf, centimetresOf } from "./sofa-price.ts";
import { boundsOf } from "./configuration.ts";
import { roundHalfEven } from "../base/money.ts";
import { isBroken, valuesInRules, waysToAnswer } from "./sofa-rules.ts";
import type { Card } from "../catalog/card.ts";
import { type PublishedMaterial, materialSwatch } from "../catalog/material.ts";
import { cardMembers, shownSwatches } from "../catalog/product-card.ts";

/** One answer to an option, with its cost. */
interface Way {
  values: readonly string[];
  /** What the answer costs regardless of the length of fabric, in minor units. */
  fixed: number;
  /** Prices per metre; each makes a price line. */
  perMeter: readonly number[];
  centimetres: number;
}

/** The minimum cost of all remaining options. */
interface Least {
  fixed: number;
  perMeter: number;
}

/** Maximum number of steps of a search, enough for any realistic sofa. */
export const mostSteps = 20_000;

/**
 * The price of the cheapest valid configuration, in minor units; `null` if the available materials allow none. The
 * search uses branch and bound, which is possible because no choice lowers the price. After `mostSteps` it returns the
 * best price so far.
 */
export function cheapestPrice(model: SofaModel, materials: MaterialFactsByCode): number | null {
  // Material options come last, because their price depends on the length of fabric, to which other options add.
  const groups = model.option_groups.toSorted(
    (a, b) => Number(a.input === "material") - Number(b.input === "material"),
  );
  const ways = groups.map((group) => waysOf(model, group, materials));
  const least = leastFrom(ways);
  const chosen = new Map<string, readonly string[]>();
  let best = Infinity;
  let steps = 0;

  const descend = (depth: number, fixed: number, perMeter: readonly number[], cm: number) => {
    steps += 1;
    const rest = least[depth] ?? { fixed: 0, perMeter: 0 };
    const price =
      fixed +
      perMeter.reduce((sum, each) => sum + roundHalfEven(BigInt(each) * BigInt(cm), 100), 0);
    if (steps > mostSteps || price + rest.fixed + Math.floor((rest.perMeter * cm) / 100) >= best)
      return;
    const group = groups[depth];
    if (!group) {
      best = price;
      return;
    }
    for (const way of ways[depth] ?? []) {
      if (group.input !== "number") chosen.set(group.code, way.values);
      if (!model.rules.some((rule) => isBroken(rule, chosen))) {
        descend(depth + 1, fixed + way.fixed, [...perMeter, ...way.perMeter], cm + way.centimetres);
      }
    }
    chosen.delete(group.code);
  };
  descend(0, model.base_price, [], centimetresOf(model.fabric_meters));
  return Number.isFinite(best) ? best : null;
}

/** The available answers to one option, cheapest first. */
function waysOf(model: SofaModel, group: OptionGroup, materials: MaterialFactsByCode): Way[] {
  if (group.input === "number") {
    const needed = group.required || group.default !== null;
    return [
      wayOf(model, group, materials, {
        codes: group.values.map(({ code }) => code),
        count: needed ? boundsOf(group).min : 0,
      }),
    ];
  }
  const available = group.values
    .map(({ code }) => code)
    .filter((code) => isChoiceAvailable(group, code, materials));
  const single = available
    .map((code) => wayOf(model, group, materials, { codes: [code] }))
    .toSorted((a, b) => costHint(a) - costHint(b));
  if (group.input !== "multiple") {
    return group.required ? single : [nothing, ...single];
  }
  const named = valuesInRules(model.rules, group.code);
  const byCost = single.flatMap(({ values }) => values);
  return waysToAnswer(
    group,
    byCost.filter((code) => named.has(code)),
    byCost.filter((code) => !named.has(code)),
  ).map((codes) => wayOf(model, group, materials, { codes }));
}

const nothing: Way = { values: [], fixed: 0, perMeter: [], centimetres: 0 };

/** Orders answers so that a good price is found early, assuming ten metres of fabric. */
const costHint = (way: Way) => way.fixed + 10 * way.perMeter.reduce((sum, each) => sum + each, 0);

function wayOf(
  model: SofaModel,
  group: OptionGroup,
  materials: MaterialFactsByCode,
  { codes, count = 1 }: { codes: readonly string[]; count?: number },
): Way {
  const chosen = count > 0 ? group.values.filter(({ code }) => codes.includes(code)) : [];
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
  return {
    values: codes,
    fixed: sum(
      chosen.map((value) => amountOf(model, value, { count, material: undefined, centimetres: 0 })),
    ),
    perMeter: chosen
      .filter(({ price_rule }) => price_rule?.type === "per_meter")
      .map(({ code }) => materials.get(code)?.price_per_meter ?? 0),
    centimetres: sum(chosen.map((value) => centimetresOf(value.fabric_meters) * count)),
  };
}

/** A lower bound of what the remaining options add to the price, for each number of answered options. */
function leastFrom(ways: readonly Way[][]): Least[] {
  const smallest = (numbers: number[]) => (numbers.length > 0 ? Math.min(...numbers) : 0);
  let rest: Least = { fixed: 0, perMeter: 0 };
  const least = ways.toReversed().map((options) => {
    rest = {
      fixed: rest.fixed + smallest(options.map(({ fixed }) => fixed)),
      perMeter:
        rest.perMeter +
        smallest(options.map(({ perMeter }) => perMeter.reduce((sum, each) => sum + each, 0))),
    };
    return rest;
  });
  return least.toReversed();
}

export type MaterialsByCode = ReadonlyMap<string, PublishedMaterial>;

/**
 * A sofa's card, with the price of its cheapest valid configuration. If no configuration is valid, the card shows the
 * base price and the sofa is unavailable.
 */
export function sofaCard(published: PublishedSofa, materials: MaterialsByCode): Card {
  const cheapest = cheapestPrice(published, materials);
  return {
    ...cardMembers(published),
    kind: "sofa",
    variant_id: null,
    sku: null,
    price: cheapest ?? published.base_price,
    compare_at_price: published.compare_at_price,
    price_from: published.option_groups.length > 0,
    swatches: offeredMaterials(published, materials).map(materialSwatch).slice(0, shownSwatches),
    availability: {
      state: cheapest === null ? "out_of_stock" : "made_to_order",
      quantity: null,
      lead_time: published.lead_time,
    },
  };
}

/** The existing materials that the sofa offers. */
export const offeredMaterials = (
  published: PublishedSofa,
  materials: MaterialsByCode,
): PublishedMaterial[] => materialCodes(published).flatMap((code) => materials.get(code) ?? []);
