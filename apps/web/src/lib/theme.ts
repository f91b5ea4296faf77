export type Theme = "system" | "light" | "dark";

/** The name of the cookie that keeps the choice, so that the first paint is right without a script. */
export const themeCookie = "gantry-theme";
export const isPinned = (value: string | undefined): value is "light" | "dark" => value === "light" || value === "dark";

const yearS = 365 * 24 * 3600;

/** Pins a theme in this browser, or follows the system again. */
export function setTheme(theme: Theme): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers we support
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=${theme === "system" ? 0 : yearS}; samesite=lax`;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function currentTheme(): Theme {
  const pinned = document.documentElement.dataset.theme;
  return isPinned(pinned) ? pinned : "system";
}
