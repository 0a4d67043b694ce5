import type { Coupon } from "#shared/domain/pricing/coupon.ts";
import { daysBefore, demoId, rupees, sofaId } from "../identity.ts";

type Facts = Pick<Coupon, "code" | "description" | "benefit"> & Partial<Coupon>;

const percent = (bps: number, cap: number | null = null): Coupon["benefit"] => ({
  kind: "percent",
  bps,
  cap: cap === null ? null : rupees(cap),
});
const fixed = (amount: number): Coupon["benefit"] => ({ kind: "fixed", amount: rupees(amount) });

export function demoCoupons(now: Date): Coupon[] {
  const rows: Facts[] = [
    {
      code: "WELCOME10",
      description: "Ten per cent off, up to ₹5,000",
      benefit: percent(1_000, 5_000),
    },
    {
      code: "FLAT2000",
      description: "₹2,000 off from ₹20,000",
      benefit: fixed(2_000),
      min_subtotal: rupees(20_000),
    },
    {
      code: "FREESHIP",
      description: "Delivery on the house from ₹5,000",
      benefit: { kind: "free_shipping" },
      min_subtotal: rupees(5_000),
    },
    {
      code: "FIRST20",
      description: "₹1,500 off for the first twenty orders",
      benefit: fixed(1_500),
      max_uses: 20,
    },
    {
      code: "ONCE500",
      description: "₹500 off, once per customer",
      benefit: fixed(500),
      max_uses_per_customer: 1,
    },
    {
      code: "DIWALI25",
      description: "A quarter off for Diwali",
      benefit: percent(2_500),
      starts_at: daysBefore(now, 45),
      ends_at: daysBefore(now, 12),
    },
    {
      code: "PONGAL15",
      description: "Fifteen per cent off for Pongal",
      benefit: percent(1_500),
      starts_at: daysBefore(now, -40),
      ends_at: daysBefore(now, -60),
    },
    {
      code: "RUGS15",
      description: "Fifteen per cent off rugs and lighting",
      benefit: percent(1_500),
      applies_to: { categories: ["rugs", "lighting"], product_ids: [] },
    },
    {
      code: "SAANJH3000",
      description: "₹3,000 off the Saanjh sofa",
      benefit: fixed(3_000),
      applies_to: { categories: [], product_ids: [sofaId("Saanjh Sofa")] },
    },
    {
      code: "FAMILY5",
      description: "Five per cent for those who have an account",
      benefit: percent(500),
      login_required: true,
    },
    {
      code: "NEWHOME",
      description: "₹1,000 off a first order",
      benefit: fixed(1_000),
      first_order_only: true,
    },
    { code: "STAFF40", description: "Withdrawn", benefit: percent(4_000), active: false },
  ];
  return rows.map((facts) => ({
    id: demoId("cpn", facts.code),
    active: true,
    starts_at: null,
    ends_at: null,
    min_subtotal: null,
    max_uses: null,
    max_uses_per_customer: null,
    first_order_only: false,
    login_required: false,
    applies_to: { categories: [], product_ids: [] },
    used: false,
    version: 1,
    updated_at: daysBefore(now, 50),
    ...facts,
  }));
}
