import {
  addAddress,
  deleteAddress,
  getAddress,
  getAddresses,
  makeDefault,
  patchAddress,
  replaceAddress,
} from "./addresses.ts";
import { resendVerification, verifyEmail } from "./email-verification.ts";
import { deleteAccount } from "./erase.ts";
import { cancelOwnOrder, getOrder, listOrders } from "./orders.ts";
import { forgotPassword, resetPassword } from "./password-reset.ts";
import { replacePreferences, replaceProfile } from "./profile.ts";
import { register } from "./register.ts";
import { logIn, logOut, me } from "./sessions.ts";
import { addToWishlist, getWishlist, removeFromWishlist } from "./wishlist.ts";

export const routes = [
  register,
  logIn,
  forgotPassword,
  resetPassword,
  verifyEmail,
  resendVerification,
  logOut,
  me,
  replaceProfile,
  replacePreferences,
  deleteAccount,
  getAddresses,
  addAddress,
  getAddress,
  replaceAddress,
  patchAddress,
  deleteAddress,
  makeDefault,
  listOrders,
  getOrder,
  cancelOwnOrder,
  getWishlist,
  addToWishlist,
  removeFromWishlist,
];
