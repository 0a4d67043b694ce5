import type { OfferSettings } from "#shared/domain/seo/offers.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { aStore, aTax, aZone, someShipping, aMethod, anId, noon } from "./commerce.ts";
import type { DeliverySlot } from "#shared/domain/delivery/delivery-slot.ts";
import type { SlotHold } from "#shared/domain/delivery/slot-hold.ts";
import type { SlotZone } from "#shared/domain/delivery/slot-zone.ts";
import type { SlotSettings, ZoneSlots } from "#shared/domain/settings/slot-settings.ts";

/** The settings that offers depend on. */
export const someOfferSettings = (overrides: Partial<OfferSettings> = {}): OfferSettings => ({
  store: aStore(),
  seo: defaultSettings.seo,
  shipping: someShipping([aZone()]),
  tax: aTax(),
  ...overrides,
});

/** The slots of a zone: two windows of every day but Sunday, from two days on. */
export const someSlots = (overrides: Partial<ZoneSlots> = {}): ZoneSlots => ({
  weekdays: ["mon", "tue", "wed", "thu", "fri", "sat"],
  windows: [
    { code: "morning", label: "Morning", from: "09:00", to: "13:00", capacity: 2 },
    { code: "evening", label: "Evening", from: "17:00", to: "20:00", capacity: 1 },
  ],
  lead_days: 2,
  horizon_days: 14,
  closed_on: [],
  change_until_hours: 24,
  ...overrides,
});

/** A shop with slots in its zone `city`, where method `standard` has them. */
export function aSlotShop(
  slots: Partial<SlotSettings> = {},
  { timezone = "Asia/Kolkata" }: { timezone?: string } = {},
) {
  const methods = [aMethod(), aMethod({ code: "pickup", label: "Pick up" })];
  const zones = [
    aZone({ code: "city", postal_prefixes: ["56"], methods }),
    aZone({ code: "hills", postal_prefixes: ["57"], methods }),
  ];
  return {
    store: aStore({ timezone }),
    shipping: {
      ...someShipping(zones),
      slots: {
        enabled: true,
        required: false,
        methods: ["standard" as const],
        cut_off: "17:00",
        zones: { city: someSlots(), hills: someSlots() },
        ...slots,
      },
    },
  };
}

export const aSlotZone = (overrides: Partial<ZoneSlots> = {}): SlotZone => ({
  code: "city",
  slots: someSlots(overrides),
});

export const aSlot = (overrides: Partial<DeliverySlot> = {}): DeliverySlot => ({
  date: "2026-11-24",
  window: "morning",
  label: "Morning",
  from: "09:00",
  to: "13:00",
  zone: "city",
  ...overrides,
});

/** A hold of `aSlot`, for a quarter of an hour from noon. */
export const aHold = (overrides: Partial<SlotHold> = {}): SlotHold => ({
  holder: anId("cart"),
  until: new Date(noon.getTime() + 15 * 60_000).toISOString(),
  begun: 1,
  slot: { ...aSlot(), method: "standard" },
  ...overrides,
});
