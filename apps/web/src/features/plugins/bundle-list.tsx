"use client";
import { useMutation } from "@tanstack/react-query";
import { Package } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { admin } from "../../strings/en/admin.ts";
import { count, fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { profile } from "../composition/profile.ts";
import { useRefresh } from "../composition/use-refresh.ts";
import { LayerNews } from "./layer-news.tsx";
import { breaking, OperationNote } from "./operation-note.tsx";

const ChangeDialog = lazy(() => import("../yaml/change-dialog.tsx"));
const t = admin.plugins;
type Bundle = Outputs["plugin"]["list"]["bundles"][number];

/** Bundles in the order in which they apply, with what each brings and overrides; what is enabled now comes last. */
export function BundleList({ org, bundles, revision }: { org: string; bundles: readonly Bundle[]; revision: number }): ReactNode {
  const [target, setTarget] = useState<{ bundle: Bundle; seen: number } | null>(null);
  const change = useMutation(
    useTRPC().plugin.setBundle.mutationOptions({ onSuccess: ({ code }) => code !== breaking && setTarget(null), onSettled: useRefresh() }),
  );
  if (bundles.length === 0) return <EmptyState icon={Package} title={t.noBundles} text={t.noBundlesText} />;
  const ask = (bundle: Bundle) => {
    change.reset();
    setTarget({ bundle, seen: revision });
  };
  return (
    <>
      <ol className="flex flex-col gap-3">
        {bundles.map((bundle) => (
          <Item key={bundle.name} bundle={bundle} onSwitch={() => ask(bundle)}>
            {change.data && change.data.code !== breaking && change.data.target === bundle.name && <OperationNote result={change.data} />}
          </Item>
        ))}
      </ol>
      <Suspense>
        {target && (
          <ChangeDialog
            {...dialogOf(target.bundle)}
            change={change}
            refusal={change.data}
            newer={<LayerNews org={org} seen={target.seen} />}
            onConfirm={(reason) => {
              const { name, isOn } = target.bundle;
              change.mutate({ org, profile, bundle: name, on: !isOn, expectedRevision: revision, ...reason });
            }}
            onClose={() => {
              setTarget(null);
              change.reset();
            }}
          />
        )}
      </Suspense>
    </>
  );
}

const dialogOf = (bundle: Bundle) =>
  ({
    title: fill(bundle.isOn ? t.bundleOffTitle : t.bundleOnTitle, { name: bundle.title }),
    text: [rowsText(bundle), overridesText(bundle), t.applies].filter(Boolean).join(" "),
    action: bundle.isOn ? t.bundleOff : t.bundleOn,
    look: bundle.isOn ? "danger" : "primary",
  }) as const;

const bringsText = ({ rows }: Bundle): string => count(rows.length, t.bringsOne, t.brings);
const rowsText = (bundle: Bundle): string => (bundle.rows.length > 0 ? `${bringsText(bundle)}: ${bundle.rows.join(", ")}.` : "");
const overridesText = ({ overrides }: Bundle): string =>
  overrides.length > 0 ? `${fill(t.overrides, { rows: overrides.join(", ") })}.` : t.noOverrides;

type ItemProps = { bundle: Bundle; onSwitch: () => void; children: ReactNode };

const Item = ({ bundle, onSwitch, children }: ItemProps): ReactNode => (
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
      {bundle.rows.length > 0 && (
        <details className="mt-1 text-tool">
          <summary className="cursor-pointer text-soft">{bringsText(bundle)}</summary>
          <p className="mt-1 break-words font-mono text-xs">{bundle.rows.join(", ")}</p>
        </details>
      )}
      {bundle.isOptional && <p className="text-soft text-tool">{overridesText(bundle)}</p>}
      {!bundle.isEntitled && <p className="text-tool text-warn">{t.notEntitled}</p>}
    </div>
    {bundle.isOptional && (
      <Button size="small" className="max-sm:h-11" disabled={!bundle.isOn && !bundle.isEntitled} onClick={onSwitch}>
        {bundle.isOn ? t.bundleOff : t.bundleOn}
      </Button>
    )}
    {children && <div className="-mb-4 w-full">{children}</div>}
  </li>
);
