import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { admin } from "../../strings/en/admin.ts";
import { fill } from "../../strings/fill.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Switch } from "../../ui/switch.tsx";

const t = admin.plugins;
type Row = Outputs["plugin"]["list"]["rows"][number];
const tones: Record<Row["state"], Tone> = { mounts: "good", disabled: "plain", planned: "warn", pending: "warn", invalid: "bad" };

/** One row: what it is, how it stands, its switch. `children`: how the last change of it ended. */
export function PluginRow({ row, onSwitch, children }: { row: Row; onSwitch: () => void; children: ReactNode }): ReactNode {
  const held = row.isLocked ? t.locked : row.isManagement ? t.management : null;
  return (
    <li className="px-4 py-2.5">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="break-all font-mono text-tool">{row.id}</span>
            {row.name !== row.id && <span className="break-all text-soft text-xs">{row.name}</span>}
            <Badge tone={tones[row.state]}>{t.states[row.state]}</Badge>
          </p>
          {row.description && <p className="break-words text-soft text-tool">{row.description}</p>}
          <p className="text-soft text-xs">
            {fill(t.origin, { layer: row.origin })}
            {row.patchedBy.length > 0 && `, ${fill(t.patchedBy, { layers: row.patchedBy.join(", ") })}`}
          </p>
          {row.waitingFor.length > 0 && (
            <p className="text-tool text-warn">{fill(t.waitingFor, { services: row.waitingFor.join(", ") })}</p>
          )}
          {row.reasons.map((reason) => (
            <p key={reason} className="break-words text-bad text-tool">
              {reason}
            </p>
          ))}
          {held && (
            <p className="mt-0.5 flex items-center gap-1 text-soft text-xs">
              <Lock aria-hidden className="size-3.5 shrink-0" /> {held}
            </p>
          )}
        </div>
        {row.state !== "planned" && (
          <Switch checked={row.state !== "disabled"} disabled={held !== null} label={fill(t.rowIsOn, { id: row.id })} onChange={onSwitch} />
        )}
      </div>
      {children && <div className="mt-2 -mb-3">{children}</div>}
    </li>
  );
}
