import type { LineIdentity } from "../domain/pricing/priced-line.ts";
import type { Fact } from "./letter.ts";

/** What was chosen of a configured line, to stand under its name. Lines that were stored long ago do not say. */
export const choiceFacts = ({ choices = [] }: Partial<Pick<LineIdentity, "choices">>): Fact[] =>
  choices.map(({ label, value }) => [label, value, "detail"]);
