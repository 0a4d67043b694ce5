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

export const routes = [
  listConversations,
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
