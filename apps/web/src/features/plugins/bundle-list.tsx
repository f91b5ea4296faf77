"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Package } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { fill } from "../../strings/en.ts";
import { admin } from "../../strings/en-admin.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { profile } from "../composition/profile.ts";
import { OperationNote } from "./operation-note.tsx";

const ConfirmDialog = lazy(() => import("../../ui/confirm-dialog.tsx"));
const t = admin.plugins;
type Bundle = Outputs["plugin"]["list"]["bundles"][number];

/** Bundles in the order in which they apply, with what each brings and overrides; what is enabled now comes last. */
export function BundleList({ org, bundles, revision }: { org: string; bundles: readonly Bundle[]; revision: number }): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [target, setTarget] = useState<Bundle | null>(null);
  const change = useMutation(
    trpc.plugin.setBundle.mutationOptions({
      onSuccess: async () => {
        setTarget(null);
        await Promise.all([trpc.composition, trpc.plugin].map((area) => cache.invalidateQueries({ queryKey: area.pathKey() })));
      },
    }),
  );
  if (bundles.length === 0) return <EmptyState icon={Package} title={t.noBundles} text={t.noBundlesText} />;
  return (
    <>
      <OperationNote result={change.data} />
      <ol className="flex flex-col gap-3">
        {bundles.map((bundle) => (
          <Item key={bundle.name} bundle={bundle} onSwitch={() => setTarget(bundle)} />
        ))}
      </ol>
      <Suspense>
        {target && (
          <ConfirmDialog
            title={fill(target.isOn ? t.bundleOffTitle : t.bundleOnTitle, { name: target.title })}
            text={[rowsText(target), overridesText(target), t.applies].join(" ")}
            action={target.isOn ? t.bundleOff : t.bundleOn}
            look={target.isOn ? "danger" : "primary"}
            isBusy={change.isPending}
            error={change.error && problemOf(change.error).why}
            onConfirm={() => change.mutate({ org, profile, bundle: target.name, on: !target.isOn, expectedRevision: revision })}
            onClose={() => setTarget(null)}
          />
        )}
      </Suspense>
    </>
  );
}

const bringsText = ({ rows }: Bundle): string => (rows.length === 1 ? t.bringsOne : fill(t.brings, { n: rows.length }));
const rowsText = (bundle: Bundle): string => `${bringsText(bundle)}${bundle.rows.length > 0 ? `: ${bundle.rows.join(", ")}` : ""}.`;
const overridesText = ({ overrides }: Bundle): string =>
  overrides.length > 0 ? `${fill(t.overrides, { rows: overrides.join(", ") })}.` : t.noOverrides;

const Item = ({ bundle, onSwitch }: { bundle: Bundle; onSwitch: () => void }): ReactNode => (
  <li className="flex flex-wrap items-start gap-3 rounded-box border bg-card px-4 py-3">
    <div className="min-w-0 flex-1 basis-60">
      <h2 className="flex flex-wrap items-center gap-2 font-medium">
        {bundle.title}
        <code className="font-mono font-normal text-soft text-xs">
          {bundle.name}@{bundle.version}
        </code>
        {!bundle.isOptional ? <Badge>{t.always}</Badge> : bundle.isOn && <Badge tone="good">{t.isOn}</Badge>}
      </h2>
      <p className="mt-0.5 break-words text-soft text-tool">{bundle.description}</p>
      <details className="mt-1 text-tool">
        <summary className="cursor-pointer text-soft">{bringsText(bundle)}</summary>
        <p className="mt-1 break-words font-mono text-xs">{bundle.rows.join(", ")}</p>
      </details>
      {bundle.isOptional && <p className="text-soft text-tool">{overridesText(bundle)}</p>}
      {!bundle.isEntitled && <p className="text-tool text-warn">{t.notEntitled}</p>}
    </div>
    {bundle.isOptional && (
      <Button size="small" className="max-sm:h-11" disabled={!bundle.isOn && !bundle.isEntitled} onClick={onSwitch}>
        {bundle.isOn ? t.bundleOff : t.bundleOn}
      </Button>
    )}
  </li>
);
