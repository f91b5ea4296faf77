"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { fill } from "../../strings/en.ts";
import { admin } from "../../strings/en-admin.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Switch } from "../../ui/switch.tsx";
import { profile } from "../composition/profile.ts";
import { OperationNote } from "./operation-note.tsx";

const ConfirmDialog = lazy(() => import("../../ui/confirm-dialog.tsx"));
const t = admin.plugins;
type Row = Outputs["plugin"]["list"]["rows"][number];
const tones: Record<Row["state"], Tone> = { mounts: "good", disabled: "plain", planned: "warn", pending: "warn", invalid: "bad" };

type Props = { org: string; rows: readonly Row[]; revision: number };

/** Rows of the composition; each can be switched, unless the platform holds it. */
export function PluginRows({ org, rows, revision }: Props): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [target, setTarget] = useState<Row | null>(null);
  const change = useMutation(
    trpc.plugin.setEnabled.mutationOptions({
      onSuccess: async () => {
        setTarget(null);
        await Promise.all([trpc.composition, trpc.plugin].map((area) => cache.invalidateQueries({ queryKey: area.pathKey() })));
      },
    }),
  );
  const isOn = target?.state !== "disabled";
  return (
    <>
      <OperationNote result={change.data} />
      {rows.length === 0 && <p className="text-soft text-sm">{t.nothing}</p>}
      {rows.length > 0 && (
        <ul className="divide-y overflow-hidden rounded-box border bg-card">
          {rows.map((row) => (
            <Item key={row.id} row={row} onSwitch={() => setTarget(row)} />
          ))}
        </ul>
      )}
      <Suspense>
        {target && (
          <ConfirmDialog
            title={fill(isOn ? t.offTitle : t.onTitle, { name: target.id })}
            text={t.applies}
            action={isOn ? t.off : t.on}
            look={isOn ? "danger" : "primary"}
            isBusy={change.isPending}
            error={change.error && problemOf(change.error).why}
            onConfirm={() => change.mutate({ org, profile, row: target.id, name: target.name, enabled: !isOn, expectedRevision: revision })}
            onClose={() => setTarget(null)}
          />
        )}
      </Suspense>
    </>
  );
}

function Item({ row, onSwitch }: { row: Row; onSwitch: () => void }): ReactNode {
  const held = row.isLocked ? t.locked : row.isManagement ? t.management : null;
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
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
        {row.waitingFor.length > 0 && <p className="text-tool text-warn">{fill(t.waitingFor, { services: row.waitingFor.join(", ") })}</p>}
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
      <Switch
        checked={row.state !== "disabled"}
        disabled={held !== null || row.state === "planned"}
        label={fill(t.rowIsOn, { id: row.id })}
        onChange={onSwitch}
      />
    </li>
  );
}
