import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { agentTexts } from "../../strings/en/agent.ts";

type Props = { id: string; names: readonly string[]; active: number; onPick: (name: string) => void };
const { compact, export: download, feedback, permission } = agentTexts.command;
const hints: Readonly<Record<string, string>> = { compact, export: download, feedback, permission };

/** What a slash may become. The focus stays in the text; its keys choose here. */
export default function CommandList({ id, names, active, onPick }: Props): ReactNode {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={agentTexts.command.list}
      className="absolute bottom-full left-0 z-20 mb-1 w-full max-w-md rounded-box border bg-card p-1 shadow-lg"
    >
      {names.map((name, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus and names the active option
        <div
          key={name}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          onPointerDown={(event) => {
            event.preventDefault(); // the text keeps the focus
            onPick(name);
          }}
          className={cx(
            "flex cursor-default items-baseline gap-3 rounded-md px-2 py-1.5 text-tool max-sm:min-h-11",
            at === active && "bg-hover",
          )}
        >
          <code className="shrink-0 font-mono">/{name}</code>
          <span className="min-w-0 truncate text-soft">{hints[name]}</span>
        </div>
      ))}
    </div>
  );
}
