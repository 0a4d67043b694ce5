import { issuerOf, notesToIssue, numberedNotes } from "./numbered-notes.ts";

/** A receipt or refund voucher. Its amount is stored with the charge or refund, whose id it has. */
export const Vouchers = numberedNotes("voucher", "VOUCHER");

/** A charge or refund that has no voucher yet. */
export const VouchersToIssue = notesToIssue("voucher_to_issue", "VOUCHERSTOISSUE");

/** Issues the vouchers of an order's charges and refunds that have none. */
export const issueVouchers = issuerOf(Vouchers, VouchersToIssue);
