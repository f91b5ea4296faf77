"use client";
import { useMutation } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { admin } from "../../strings/en/admin.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import { profile } from "../composition/profile.ts";
import { useRefresh } from "../composition/use-refresh.ts";
import { LayerNews } from "./layer-news.tsx";
import { breaking, OperationNote } from "./operation-note.tsx";
import { PluginRow } from "./plugin-row.tsx";

const ChangeDialog = lazy(() => import("../yaml/change-dialog.tsx"));
const t = admin.plugins;
type Row = Outputs["plugin"]["list"]["rows"][number];
/** What was asked for; it stays what it was when somebody else changes the row meanwhile. */
type Target = { row: string; name: string; enabled: boolean; seen: number };

type Props = { org: string; rows: readonly Row[]; revision: number };

/** Rows of the composition; each can be switched, unless the platform holds it. How that ended is told beside the switch. */
export function PluginRows({ org, rows, revision }: Props): ReactNode {
  const [target, setTarget] = useState<Target | null>(null);
  const change = useMutation(
    useTRPC().plugin.setEnabled.mutationOptions({ onSuccess: ({ code }) => code !== breaking && setTarget(null), onSettled: useRefresh() }),
  );
  const close = () => {
    setTarget(null);
    change.reset();
  };
  const ask = ({ id, name, state }: Row) => {
    change.reset();
    setTarget({ row: id, name, enabled: state === "disabled", seen: revision });
  };
  return (
    <>
      {rows.length === 0 && <p className="text-soft text-sm">{t.nothing}</p>}
      {rows.length > 0 && (
        <ul className="divide-y overflow-hidden rounded-box border bg-card">
          {rows.map((row) => (
            <PluginRow key={row.id} row={row} onSwitch={() => ask(row)}>
              {change.data && change.data.code !== breaking && change.data.target === row.id && <OperationNote result={change.data} />}
            </PluginRow>
          ))}
        </ul>
      )}
      <Suspense>
        {target && (
          <ChangeDialog
            title={fill(target.enabled ? t.onTitle : t.offTitle, { name: target.row })}
            text={t.applies}
            action={target.enabled ? t.on : t.off}
            look={target.enabled ? "primary" : "danger"}
            change={change}
            refusal={change.data}
            newer={<LayerNews org={org} seen={target.seen} />}
            onConfirm={(reason) => {
              const { row, name, enabled } = target;
              change.mutate({ org, profile, row, name, enabled, expectedRevision: revision, ...reason });
            }}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}
