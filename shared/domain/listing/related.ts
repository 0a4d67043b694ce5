import * as z from "zod";
import { type CardKind, PublicCard } from "../catalog/card.ts";

/** Why a record is related, strongest first. */
export const RelatedReason = z.enum([
  "staff_pick",
  "same_category",
  "same_room",
  "same_style",
  "similar_price",
  "popular",
]);
export type RelatedReason = z.output<typeof RelatedReason>;

export const RelatedCard = PublicCard.and(z.object({ reason: RelatedReason }));
/** A related card before its response. */
export type RelatedCard = z.input<typeof RelatedCard>;

/** The members that the ranking compares. `category` includes the ancestors of the record's category. */
export interface RelatedCandidate {
  id: string;
  kind: CardKind;
  price: number;
  popularity: number;
  in_stock: boolean;
  category: readonly string[];
  room: readonly string[];
  style: readonly string[];
}

/** Prices from 70 % to 140 % of a record's price are similar to it. */
const priceBand = { from: 7, to: 14, of: 10 } as const;

const weights: Record<RelatedReason, number> = {
  staff_pick: 0,
  same_category: 8,
  same_room: 4,
  same_style: 2,
  similar_price: 1,
  popular: 0,
};

/**
 * Ranks related records. Staff's picks come first, in their order. The rest is sorted by what it has in common with the
 * record (the category counts most, then room, style and price band), and then by popularity. The record itself and
 * duplicates are left out. Out-of-stock records come last, and only if there are too few available records.
 */
export function rankRelated(
  subject: RelatedCandidate,
  picks: readonly RelatedCandidate[],
  others: readonly RelatedCandidate[],
  limit: number,
): { id: string; reason: RelatedReason }[] {
  const scored = others
    .map((candidate) => {
      const reasons = sharedWith(subject, candidate);
      const score = reasons.reduce((sum, reason) => sum + weights[reason], 0);
      return { candidate, reason: reasons[0] ?? "popular", score };
    })
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        b.candidate.popularity - a.candidate.popularity ||
        (a.candidate.id < b.candidate.id ? -1 : 1),
    );
  const ranked = [
    ...picks.map((candidate) => ({ candidate, reason: "staff_pick" as const })),
    ...scored,
  ];
  const seen = new Set([subject.id]);
  const distinct = ranked.filter(({ candidate: { id } }) => {
    const fresh = !seen.has(id);
    seen.add(id);
    return fresh;
  });
  const ordered = [
    ...distinct.filter(({ candidate }) => isAvailableNow(candidate)),
    ...distinct.filter(({ candidate }) => !isAvailableNow(candidate)),
  ];
  return ordered.slice(0, limit).map(({ candidate, reason }) => ({ id: candidate.id, reason }));
}

/** Sofas are made to order and never out of stock. */
const isAvailableNow = ({ kind, in_stock }: RelatedCandidate): boolean =>
  in_stock || kind === "sofa";

function sharedWith(subject: RelatedCandidate, candidate: RelatedCandidate): RelatedReason[] {
  const share = (facet: "category" | "room" | "style") =>
    subject[facet].some((value) => candidate[facet].includes(value));
  const scaled = candidate.price * priceBand.of;
  const near = scaled >= subject.price * priceBand.from && scaled <= subject.price * priceBand.to;
  return [
    ...(share("category") ? (["same_category"] as const) : []),
    ...(share("room") ? (["same_room"] as const) : []),
    ...(share("style") ? (["same_style"] as const) : []),
    ...(near ? (["similar_price"] as const) : []),
  ];
}
