import * as z from "zod";
import type { Configuration } from "./configuration.ts";
import type { PublishedMaterial } from "../catalog/material.ts";
import type { OptionGroup, SofaModel } from "./sofa.ts";

/** The choice for one option, in words that do not change with the model. */
export const LineChoice = z.object({
  option: z.string().meta({ description: "Option code, as in the configuration" }),
  label: z.string(),
  value: z.string(),
});
export type LineChoice = z.output<typeof LineChoice>;

type MaterialName = Pick<PublishedMaterial, "name" | "color">;

/**
 * The choices of a configuration, one per answered option, in the model's order.
 *
 * @param configuration normalized
 */
export function choicesOf(
  { option_groups }: Pick<SofaModel, "option_groups">,
  materials: ReadonlyMap<string, MaterialName>,
  configuration: Configuration,
): LineChoice[] {
  return option_groups.flatMap((group) => {
    const answer = configuration[group.code];
    if (answer === undefined) return [];
    return { option: group.code, label: group.label, value: inLabels(group, materials, answer) };
  });
}

function inLabels(
  group: OptionGroup,
  materials: ReadonlyMap<string, MaterialName>,
  answer: Configuration[string],
): string {
  if (typeof answer === "number") {
    return answer === 0 ? none : [answer, group.values[0]?.label].join(" × ");
  }
  const labels = group.values
    .filter(({ code }) => (Array.isArray(answer) ? answer.includes(code) : answer === code))
    .map(({ code, label }) => {
      const material = group.input === "material" ? materials.get(code) : undefined;
      return material ? nameAndColor(material) : (label ?? code);
    });
  return labels.join(", ") || none;
}

/** The label of an answer without values, or of the number 0. */
const none = "None";

/** Many materials are named after their colour, which is then not repeated. */
function nameAndColor({ name, color }: MaterialName): string {
  const words = wordsOf(name);
  return wordsOf(color.name).every((word) => words.includes(word))
    ? name
    : `${name}, ${color.name}`;
}

const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u);
