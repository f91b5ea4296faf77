"use client";
import { useEffect, useState } from "react";

const windowMs = 1_500;

/** Escape pressed twice stops, wherever the focus is but in what Escape closes. Says whether the first press has been made. */
export function useEscStop(isWorking: boolean, onStop: () => void): boolean {
  const [isArmed, setIsArmed] = useState(false);
  useEffect(
    function listenForEscape() {
      if (!isWorking) return;
      const onKey = (event: KeyboardEvent) => {
        if (event.key !== "Escape" || event.repeat || (event.target as HTMLElement).closest("[role=dialog], [role=menu]")) return;
        if (isArmed) onStop();
        setIsArmed(!isArmed);
      };
      addEventListener("keydown", onKey);
      return () => removeEventListener("keydown", onKey);
    },
    [isWorking, isArmed, onStop],
  );
  useEffect(
    function disarm() {
      if (!isArmed) return;
      const timer = setTimeout(setIsArmed, windowMs, false);
      return () => clearTimeout(timer);
    },
    [isArmed],
  );
  return isArmed;
}
