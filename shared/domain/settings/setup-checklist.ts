import { pinPrefixes, stateOfGstin, statesOfPin } from "../contact/place-of-supply.ts";
import type { StoreSettings } from "./store-settings.ts";
import type { TaxZone } from "./tax-settings.ts";
import * as z from "zod";
import { defaultSettings } from "./default-settings.ts";
import type { SecretName } from "./setting-secrets.ts";
import type { AllSettings, SettingsGroup } from "./settings.ts";

/** The taxes on supplies within a state. */
const withinState: ReadonlySet<string> = new Set(["cgst", "sgst", "utgst"]);
const betweenStates = "igst";

/**
 * Whether India's tax zones agree with the states of their PINs: CGST with SGST or UTGST in the state of the store's
 * GSTIN, IGST in all others. PINs that may be in this state or in another one may have either.
 */
export function taxZonesFit(
  { country, tax_id }: Pick<StoreSettings, "country" | "tax_id">,
  zones: readonly TaxZone[],
): boolean {
  const home = country === "IN" && tax_id !== null ? stateOfGstin(tax_id) : undefined;
  if (!home) return true;
  const indian = zones.filter((zone) => zone.country === country);
  return pinPrefixes().every((pin) => {
    const states = statesOfPin(pin);
    if (states.includes(home) && states.length > 1) return true;
    const isHome = states.includes(home);
    return zonesAt(indian, pin).every(({ classes }) =>
      Object.values(classes)
        .flat()
        .every(({ code }) => (isHome ? code !== betweenStates : !withinState.has(code))),
    );
  });
}

/** The zones that apply to PINs with these first digits. A zone of longer prefixes leaves PINs to those after it. */
function zonesAt(zones: readonly TaxZone[], pin: string): TaxZone[] {
  const covers = ({ postal_prefixes: prefixes }: TaxZone) =>
    prefixes.length === 0 || prefixes.some((prefix) => pin.startsWith(prefix));
  const whole = zones.findIndex(covers);
  return zones.filter(
    (zone, index) =>
      index === whole ||
      ((whole === -1 || index < whole) &&
        zone.postal_prefixes.some((prefix) => prefix.startsWith(pin))),
  );
}

export const ChecklistItem = z.object({
  code: z.string(),
  label: z.string(),
  done: z.boolean(),
  required: z.boolean().meta({ description: "Whether the shop cannot sell before this is done" }),
  message: z.string().meta({ description: "Current state, or what to do" }),
  link: z.string().nullable().meta({ description: "Path of the page in the back office" }),
});
export type ChecklistItem = z.output<typeof ChecklistItem>;

export const SetupChecklist = z
  .object({
    items: z.array(ChecklistItem),
    done: z.int(),
    total: z.int(),
    ready: z.boolean().meta({ description: "Whether all required items are done" }),
  })
  .meta({ id: "SetupChecklist" });
export type SetupChecklist = z.output<typeof SetupChecklist>;

/** The state of a shop that the checklist evaluates. */
export interface ShopState {
  readonly settings: AllSettings;
  /** Groups that staff have saved. */
  readonly saved: ReadonlySet<SettingsGroup>;
  /** Secrets that can be decrypted. */
  readonly secrets: ReadonlySet<SecretName>;
  /** The sender of mail, from the deployment. */
  readonly mailFrom: string | undefined;
  /** Whether the homepage, the page `about`, the menus, and at least one product or sofa are published. */
  readonly published: {
    readonly products: boolean;
    readonly homepage: boolean;
    readonly about: boolean;
    readonly menus: boolean;
  };
}

type Check = (shop: ShopState) => boolean;

interface Rule {
  readonly code: string;
  readonly label: string;
  readonly required: boolean;
  readonly link: string | null;
  readonly done: Check;
  /** The messages for a done and for a missing item. */
  readonly says: readonly [done: string, missing: string];
}

const gatewayWorks: Check = ({ settings: { payments }, secrets }) =>
  payments.gateway.enabled &&
  payments.gateway.publishable_key !== null &&
  secrets.has("gateway.secret_key");

const codWorks: Check = ({ settings: { payments, shipping } }) =>
  payments.cod.enabled && shipping.zones.some(({ cod }) => cod);

const transferWorks: Check = ({ settings: { payments } }) =>
  payments.bank_transfer.enabled && payments.bank_transfer.account !== null;

const rules: readonly Rule[] = [
  {
    code: "store_details",
    label: "Store details",
    required: true,
    link: "/settings/store",
    done: ({ settings: { store } }) =>
      store.name !== defaultSettings.store.name &&
      store.address_lines.length > 0 &&
      store.contact.email !== null &&
      store.contact.phone !== null,
    says: [
      "The store's name, address and contact details are set.",
      "Enter the store's name, its address, and an email and phone number for customers.",
    ],
  },
  {
    code: "store_addresses",
    label: "Web addresses",
    required: true,
    link: "/settings/store",
    done: ({ settings: { store } }) =>
      store.storefront_url !== defaultSettings.store.storefront_url &&
      store.admin_url !== defaultSettings.store.admin_url,
    says: [
      "Links in mails lead to your storefront and back office.",
      "Enter the URLs of the storefront and the back office: links in mails start with them.",
    ],
  },
  {
    code: "shipping_zones",
    label: "Delivery zones",
    required: true,
    link: "/settings/shipping",
    done: ({ settings: { shipping } }) => shipping.zones.length > 0,
    says: [
      "At least one delivery zone is set up.",
      "Add a zone with delivery methods: until then no postal code is served.",
    ],
  },
  {
    code: "tax",
    label: "Tax",
    required: true,
    link: "/settings/tax",
    done: ({ settings: { store, tax }, saved }) =>
      saved.has("tax") && tax.zones.some(({ country }) => country === store.country),
    says: [
      "Tax zones and rates are set up.",
      "Save the tax zones and rates of your country: until then no tax is charged.",
    ],
  },
  {
    code: "tax_by_state",
    label: "Tax by state",
    required: true,
    link: "/settings/tax",
    done: ({ settings: { store, tax }, saved }) =>
      saved.has("tax") && taxZonesFit(store, tax.zones),
    says: [
      "The tax zones agree with the states of their PINs.",
      "Save tax zones that agree with the states of their PINs: CGST and SGST in the state of your GSTIN, IGST in all others.",
    ],
  },
  {
    code: "payment_method",
    label: "Payment method",
    required: true,
    link: "/settings/payments",
    done: (shop) => [gatewayWorks, codWorks, transferWorks].some((works) => works(shop)),
    says: [
      "At least one payment method is available.",
      "Switch on at least one payment method and complete its settings.",
    ],
  },
  {
    code: "online_payment",
    label: "Online payment",
    required: false,
    link: "/settings/payments",
    done: (shop) => gatewayWorks(shop) && shop.secrets.has("gateway.webhook_secret"),
    says: [
      "The gateway's keys and webhook secret are set.",
      "Enter the gateway's publishable key, secret key and webhook secret, and switch it on.",
    ],
  },
  {
    code: "bank_account",
    label: "Bank account",
    required: false,
    link: "/settings/payments",
    done: ({ settings: { payments } }) => payments.bank_transfer.account !== null,
    says: [
      "The account for bank transfers is set.",
      "Enter the account that receives bank transfers.",
    ],
  },
  {
    code: "mail_sender",
    label: "Mail",
    required: true,
    link: "/settings/email",
    done: ({ mailFrom }) => mailFrom !== undefined,
    says: [
      "The sender address is set. Send yourself a test mail to check that it arrives.",
      "No mail can be sent: deploy the service with its mail domain.",
    ],
  },
  {
    code: "whatsapp",
    label: "WhatsApp",
    required: false,
    link: "/settings/messaging",
    done: ({ settings: { messaging }, secrets }) =>
      messaging.whatsapp.enabled &&
      (["whatsapp.access_token", "whatsapp.app_secret", "whatsapp.verify_token"] as const).every(
        (name) => secrets.has(name),
      ),
    says: [
      "WhatsApp is set up for sending and receiving.",
      "Enter the phone number's id, the access token, the app secret and the verify token, and switch it on.",
    ],
  },
  {
    code: "first_product",
    label: "A published product",
    required: true,
    link: "/catalog/products",
    done: ({ published }) => published.products,
    says: ["At least one product or sofa is published.", "Publish a product or a sofa."],
  },
  {
    code: "homepage",
    label: "Homepage",
    required: true,
    link: "/content/homepage",
    done: ({ published }) => published.homepage,
    says: ["The homepage is published.", "Publish the homepage."],
  },
  {
    code: "menus",
    label: "Menus",
    required: false,
    link: "/content/menus",
    done: ({ published }) => published.menus,
    says: ["The storefront's menus are saved.", "Save the menus of the storefront."],
  },
  {
    code: "about_page",
    label: "About page",
    required: false,
    link: "/content/pages",
    done: ({ published }) => published.about,
    says: ["The page `about` is published.", "Write and publish the page `about`."],
  },
];

/** The setup checklist of a shop. Items cannot be ticked manually. */
export function setupChecklist(shop: ShopState): SetupChecklist {
  const items = rules.map(({ done: isDone, says: [yes, no], code, label, required, link }) => {
    const done = isDone(shop);
    return { code, label, done, required, message: done ? yes : no, link };
  });
  return {
    items,
    done: items.filter(({ done }) => done).length,
    total: items.length,
    ready: items.every(({ done, required }) => done || !required),
  };
}
