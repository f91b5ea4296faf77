"use client";
import type { ReactNode } from "react";
import { navTexts } from "../../strings/en/nav.ts";
import { shortcutTexts } from "../../strings/en/shortcuts.ts";
import { Dialog } from "../../ui/dialog.tsx";

const t = shortcutTexts;
const list: readonly [keys: string[], what: string][] = [
  [["N"], t.n],
  [["/"], t.slash],
  [["Q"], t.question],
  [["Enter"], t.enter],
  [["Shift", "Enter"], t.shiftEnter],
  [["Esc", "Esc"], t.escEsc],
  [["G", "W"], t.w],
  [["G", "S"], t.s],
  [["G", "A"], t.a],
  [["?"], t.help],
];

/** The list of keys. */
const ShortcutsDialog = ({ onClose }: { onClose: () => void }): ReactNode => (
  <Dialog open onOpenChange={(open) => !open && onClose()} title={navTexts.shortcuts}>
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

export default ShortcutsDialog;
