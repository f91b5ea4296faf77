"use client";
import { type RefObject, useEffect, useRef, useState } from "react";
import { isPhone } from "../../lib/is-phone.ts";

/**
 * Whether the composer stays open while a question to people stands in its place: when somebody was writing as it came, or asks for it.
 * The focus is never taken from who writes; when it is gone with the question, the composer gets it.
 */
export function useBesideAsk(
  isAsked: boolean,
  { hasText, hasFocus }: { hasText: boolean; hasFocus: boolean },
  field: RefObject<HTMLTextAreaElement | null>,
) {
  const [seen, setSeen] = useState(isAsked);
  const [isOpen, setOpen] = useState(false);
  if (isAsked !== seen) {
    setSeen(isAsked);
    setOpen(isAsked && (hasText || (hasFocus && !isPhone())));
  }
  const isWanted = useRef(false);
  const wasAsked = useRef(isAsked);
  useEffect(
    function placeFocus() {
      const isOver = wasAsked.current && !isAsked;
      wasAsked.current = isAsked;
      const isLost = isOver && document.activeElement === document.body && !isPhone();
      if ((isOpen && isWanted.current) || isLost) field.current?.focus({ preventScroll: true });
      isWanted.current = false;
    },
    [isAsked, isOpen, field],
  );
  const open = () => {
    isWanted.current = true;
    setOpen(true);
  };
  return { isHidden: isAsked && !isOpen, open };
}
