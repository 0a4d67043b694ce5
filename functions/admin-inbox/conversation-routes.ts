import { changeConversation, getConversation, listConversations } from "./conversations.ts";
import { createConversation } from "./start-conversation.ts";

export const routes = [listConversations, createConversation, getConversation, changeConversation];
