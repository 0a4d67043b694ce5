import type { LineIdentity } from "../domain/pricing/priced-line.ts";
import type { Fact } from "./letter.ts";

/** The choices of a configured line, shown under its name. Lines of early orders have none. */
export const choiceFacts = ({ choices = [] }: Partial<Pick<LineIdentity, "choices">>): Fact[] =>
  choices.map(({ label, value }) => [label, value, "detail"]);
