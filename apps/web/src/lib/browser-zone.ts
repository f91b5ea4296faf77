/** The IANA zone of this browser, for what a person means by a time. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
