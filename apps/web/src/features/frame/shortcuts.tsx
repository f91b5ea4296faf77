"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { en } from "../../strings/en.ts";
import { Dialog } from "../../ui/dialog.tsx";

const t = en.shortcuts;
const list: readonly [keys: string[], what: string][] = [
  [["N"], t.n],
  [["/"], t.slash],
  [["Enter"], t.enter],
  [["Shift", "Enter"], t.shiftEnter],
  [["Esc", "Esc"], t.escEsc],
  [["G", "W"], t.w],
  [["G", "S"], t.s],
  [["G", "A"], t.a],
  [["?"], t.help],
];

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
        if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, [role=dialog], [role=menu]")) return;
        const key = event.key.toLowerCase();
        const place = Date.now() < chordUntil ? places[key] : undefined;
        chordUntil = key === "g" ? Date.now() + chordMs : 0;
        if (place) router.push(place);
        else if (key === "n") router.push(`/${org}`);
        else if (key === "?") showHelp();
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

export const ShortcutsDialog = ({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }): ReactNode => (
  <Dialog open={open} onOpenChange={onOpenChange} title={en.nav.shortcuts}>
    <dl className="flex flex-col gap-2 text-sm">
      {list.map(([keys, what]) => (
        <div key={what} className="flex items-center justify-between gap-4">
          <dt>{what}</dt>
          <dd className="flex shrink-0 gap-1">
            {keys.map((key, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list in which a key may appear twice
              <kbd key={at} className="rounded border bg-panel px-1.5 py-0.5 font-mono text-xs">
                {key}
              </kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
