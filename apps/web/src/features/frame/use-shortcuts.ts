"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Where keys are text, or belong to what is open. */
const typing = "input, textarea, select, [contenteditable=true], [role=dialog], [role=menu]";
/** After G the second key must follow within this time. */
const chordMs = 1_200;

/** Keys that work wherever nobody is typing. */
export function useShortcuts(org: string, showHelp: () => void): void {
  const router = useRouter();
  useEffect(
    function listenForKeys() {
      let chordUntil = 0;
      const places: Record<string, string> = { w: `/${org}/w`, s: `/${org}/settings/models`, a: `/${org}/admin` };
      const onKey = (event: KeyboardEvent) => {
        const target = event.target as HTMLElement;
        if (event.ctrlKey || event.metaKey || event.altKey || target.closest(typing)) return;
        const key = event.key.toLowerCase();
        const place = Date.now() < chordUntil ? places[key] : undefined;
        chordUntil = key === "g" ? Date.now() + chordMs : 0;
        if (place) router.push(place);
        else if (key === "n") router.push(`/${org}`);
        else if (key === "?") showHelp();
        else if (key === "q") document.querySelector<HTMLElement>("[data-prompt]")?.focus();
        else if (key === "/") document.querySelector<HTMLElement>("[data-composer]")?.focus();
        else return;
        event.preventDefault();
      };
      addEventListener("keydown", onKey);
      return () => removeEventListener("keydown", onKey);
    },
    [org, router, showHelp],
  );
}
