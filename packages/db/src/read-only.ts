/** Status of a session whose preset cannot be mounted: it is shown and not run until another preset is selected (G-19). */
export const readOnly = "read-only";

/**
 * Whether a command's payload is a `select-preset`, as SQL. By the text: reading a json document on the server would refuse NUL inside strings,
 * and inside strings a quote is escaped, so that a person's text cannot look like this.
 */
export const selectsPreset = (payload: string): string => `${payload}::text LIKE '%"kind":"select-preset"%'`;
