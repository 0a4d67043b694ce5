/** The shared keys of the demo shop and the WhatsApp emulator. */
export const localWhatsApp = {
  phone_number_id: "106540352242922",
  access_token: "local-whatsapp-access-token",
  app_secret: "local-whatsapp-app-secret",
  verify_token: "local-whatsapp-verify-token",
} as const;
