"use client";
import { type RefObject, useEffect, useRef } from "react";

/** A card that takes the place of another gets the focus that was lost with it, and no other focus. */
export function useKeptFocus(box: RefObject<HTMLElement | null>, cardId: string | undefined): void {
  const wasHere = useRef(false);
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
      if (cardId && wasHere.current && document.activeElement === document.body)
        box.current?.querySelector<HTMLElement>("[data-prompt]")?.focus();
    },
    [box, cardId],
  );
}
