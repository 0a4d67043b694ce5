import * as z from "zod";
import { Id } from "../base/ids.ts";
import { Text } from "../base/text.ts";

const Phrase = Text(60);
const wrongTarget = "Send the id of a product or sofa, which begins with prd_ or sofa_.";
const Target = z.union([Id("prd", wrongTarget), Id("sofa", wrongTarget)]);

/** How staff steer search. */
export const SearchSettings = z.strictObject({
  synonyms: z.array(z.array(Phrase).min(1).max(20)).max(300).meta({
    description: "Phrases with one meaning. A set of one phrase removes it from the built-in sets",
  }),
  boosts: z
    .array(z.strictObject({ query: Phrase, targets: z.array(Target).min(1).max(20) }))
    .max(300),
  hidden: z.array(Target).max(1_000),
});
export type SearchSettings = z.output<typeof SearchSettings>;

/** The products and sofas that the settings boost or hide, each at its path. */
export const searchTargets = ({
  boosts,
  hidden,
}: SearchSettings): { path: string; id: string }[] => [
  ...boosts.flatMap(({ targets }, boost) =>
    targets.map((id, target) => ({ path: `boosts.${boost}.targets.${target}`, id })),
  ),
  ...hidden.map((id, position) => ({ path: `hidden.${position}`, id })),
];
