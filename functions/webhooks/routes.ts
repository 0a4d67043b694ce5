import { receiveStripe } from "./stripe.ts";
import { receiveWhatsApp, shakeHands } from "./whatsapp.ts";

export const routes = [receiveStripe, shakeHands, receiveWhatsApp];
