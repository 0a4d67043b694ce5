import { changeConversation, getConversation, listConversations } from "./conversations.ts";
import { listMessages, sendMessage } from "./messages.ts";
import {
  changeQuickReply,
  createQuickReply,
  deleteQuickReply,
  getQuickReply,
  listQuickReplies,
  replaceQuickReply,
} from "./quick-replies.ts";
import { startConversation } from "./start-conversation.ts";

export const routes = [
  listConversations,
  startConversation,
  getConversation,
  changeConversation,
  listMessages,
  sendMessage,
  listQuickReplies,
  createQuickReply,
  getQuickReply,
  replaceQuickReply,
  changeQuickReply,
  deleteQuickReply,
];
