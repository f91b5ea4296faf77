import { useSyncExternalStore } from "react";

const noChange = () => () => {};

/** False in what the server sends and until the page's code has taken it over: what is pressed before then does nothing, or what a browser does by itself. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    noChange,
    () => true,
    () => false,
  );
