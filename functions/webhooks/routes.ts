import { receiveWhatsApp, shakeHands } from "./whatsapp.ts";

export const routes = [shakeHands, receiveWhatsApp];
