/** Texts of the account page. */
export const accountTexts = {
  title: "Account",
  profile: "You",
  browsers: "Signed-in browsers",
  browsersText: "Each entry is one browser. Revoking signs it out within seconds.",
  current: "this browser",
  seen: "Last seen {when}",
  since: "signed in {when}",
  expires: "expires {when}",
  revoke: "Revoke",
  revokeAll: "Sign out everywhere",
  revokeAllTitle: "Sign out of every browser?",
  revokeAllText: "This one too. You will have to sign in again.",
  orgs: "Organisations",
  none: "No other browsers",
};
