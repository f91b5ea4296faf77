"use client";
import { type RefObject, useEffect, useRef } from "react";

/**
 * A card that takes the place of another gets the focus that was lost with it, and no other focus.
 * @returns when that happened last, in ms of the clock: nobody has read the card at that moment
 */
export function useKeptFocus(box: RefObject<HTMLElement | null>, cardId: string | undefined): RefObject<number> {
  const wasHere = useRef(false);
  const keptAt = useRef(0);
  useEffect(
    function watchFocus() {
      const onFocus = ({ target }: FocusEvent) => {
        wasHere.current = target instanceof Node && box.current?.contains(target) === true;
      };
      document.addEventListener("focusin", onFocus);
      return () => document.removeEventListener("focusin", onFocus);
    },
    [box],
  );
  useEffect(
    function keepFocus() {
      if (!cardId || !wasHere.current || document.activeElement !== document.body) return;
      keptAt.current = Date.now();
      box.current?.querySelector<HTMLElement>("[data-prompt]")?.focus();
    },
    [box, cardId],
  );
  return keptAt;
}
