import * as z from "zod";
import { StoredPicture } from "#shared/domain/media.ts";
import { nextModelVersion } from "#shared/domain/sofa-model.ts";
import { OptionGroup, Sofa, SofaValue } from "#shared/domain/sofa.ts";
import { patchOf, withPatch } from "#shared/http/patch.ts";
import { StrictLeadTime, blank, sellableInput, stamped } from "./sellable-input.ts";

const { shape } = Sofa;

const ValueInput = SofaValue.extend({
  media: z.strictObject(StoredPicture.shape).nullable(),
});
const GroupInput = OptionGroup.extend({
  values: z.array(ValueInput).min(1).max(100),
});

export const SofaInput = z.strictObject({
  ...sellableInput,
  lead_time: StrictLeadTime.default({ min_days: 28, max_days: 42 }),
  base_price: shape.base_price,
  compare_at_price: shape.compare_at_price.default(null),
  fabric_meters: shape.fabric_meters.default(0),
  seats: shape.seats,
  option_groups: z.array(GroupInput).max(30).default([]),
  rules: shape.rules.default([]),
});
type SofaInput = z.output<typeof SofaInput>;

export const SofaPatch = patchOf(SofaInput);

export function newSofa(input: SofaInput, currency: string, now: Date): Sofa {
  const { status = "draft", ...members } = input;
  const first = { ...blank("sofa", currency, now), ...members, status, model_version: 1 };
  return { ...stamped(first, now), version: 1 };
}

export function changedSofa(before: Sofa, change: z.output<typeof SofaPatch>, now: Date): Sofa {
  const after = stamped(withPatch(before, change), now);
  return { ...after, model_version: nextModelVersion(before, after) };
}
