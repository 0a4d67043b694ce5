import { changeConversation, getConversation, listConversations } from "./conversations.ts";
import { startConversation } from "./start-conversation.ts";

export const routes = [listConversations, startConversation, getConversation, changeConversation];
