/** The profile whose composition the admin pages show: that of sessions in the browser. */
export const profile = "web";
