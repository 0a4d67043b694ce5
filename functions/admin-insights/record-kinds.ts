// Generated from the route declarations by `npm run generate`; do not edit.

/** Kinds of records that staff edit, each the name of its entity. */
export const recordKinds = ["quick_reply"] as const;
