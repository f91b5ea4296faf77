import type { RateRule } from "./rate-limiter.ts";

const minuteMs = 60_000;

/** Sign-in by account and by address (SC-W11). The account's count starts anew after a right password. */
export const signInByAccount: RateRule = { name: "sign-in-account", limit: 10, windowMs: 5 * minuteMs };
export const signInByAddress: RateRule = { name: "sign-in-address", limit: 100, windowMs: 5 * minuteMs };
export const signUpByAddress: RateRule = { name: "sign-up-address", limit: 40, windowMs: 10 * minuteMs };
/** What one person may ask of the API: bursts of a busy page pass, a loop does not (SC-R15). */
export const requestsByUser: RateRule = { name: "api-user", limit: 600, windowMs: minuteMs / 2 };
export const uploadsByUser: RateRule = { name: "upload-user", limit: 20, windowMs: 10 * minuteMs };
/** Each may cost a second of work on a picture. */
export const attachmentsByUser: RateRule = { name: "attachment-user", limit: 60, windowMs: 5 * minuteMs };
export const exportsByUser: RateRule = { name: "export-user", limit: 30, windowMs: 10 * minuteMs };
export const providerChecksByOrg: RateRule = { name: "provider-check-org", limit: 20, windowMs: 10 * minuteMs };
