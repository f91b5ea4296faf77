"use client";
import { History, Layers, Wrench } from "lucide-react";
import Link from "next/link";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { presetChoice } from "../../strings/en/preset-choice.ts";
import { fill } from "../../strings/fill.ts";
import type { SessionPreset } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Menu, MenuItem, MenuLabel, MenuLine } from "../../ui/menu.tsx";
import { useIsAdmin } from "../frame/use-role.ts";
import { PresetButton } from "./preset-button.tsx";
import { useSelectPreset } from "./use-select-preset.ts";

const AgentDialog = lazy(() => import("./agent-dialog.tsx"));
const t = presetChoice;
type Props = { org: string; sessionId: string; preset: SessionPreset; canSwitch: boolean };

/** What the session runs on, where admins change it, and another choice while the session has produced nothing. */
export default function PresetMenu({ org, sessionId, preset, canSwitch }: Props): ReactNode {
  const { presets, select, choose } = useSelectPreset(org, sessionId);
  const isAdmin = useIsAdmin(org);
  const [isShown, setShown] = useState(false);
  const address = `/${org}/admin/presets/${preset.slug}`;
  return (
    <>
      <Menu align="end" trigger={<PresetButton preset={preset} />}>
        <MenuLabel>{fill(t.label, { name: preset.name, n: preset.revision })}</MenuLabel>
        {!preset.isCurrent && <MenuLabel>{fill(t.olderWhy, { n: currentOf(presets, preset.slug) })}</MenuLabel>}
        <MenuItem onSelect={() => setShown(true)}>
          <Wrench aria-hidden className="size-4" /> {t.agent}
        </MenuItem>
        {isAdmin && (
          <>
            <MenuItem asChild>
              <Link href={address} prefetch={false}>
                <Layers aria-hidden className="size-4" /> {t.open}
              </Link>
            </MenuItem>
            <MenuItem asChild>
              <Link href={`${address}?view=revisions&revision=${preset.revision}`} prefetch={false}>
                <History aria-hidden className="size-4" /> {fill(t.openRevision, { n: preset.revision })}
              </Link>
            </MenuItem>
          </>
        )}
        <MenuLine />
        {canSwitch ? (
          <>
            <MenuLabel>{t.switchTo}</MenuLabel>
            {presets
              .filter(({ state }) => state === "ok")
              .map((one) => (
                <MenuItem
                  key={one.slug}
                  checked={one.slug === preset.slug && one.revision === preset.revision}
                  onSelect={() => choose(one.slug)}
                >
                  {one.name} <span className="tabular text-soft text-xs">r{one.revision}</span>
                </MenuItem>
              ))}
          </>
        ) : (
          <MenuLabel>{t.fixed}</MenuLabel>
        )}
      </Menu>
      <Suspense>{isShown && <AgentDialog org={org} sessionId={sessionId} onClose={() => setShown(false)} />}</Suspense>
      {select.error && (
        <span role="alert" className="text-bad">
          {t.failed} {problemOf(select.error).why}
        </span>
      )}
    </>
  );
}

const currentOf = (presets: readonly { slug: string; revision: number | null }[], slug: string): number | string =>
  presets.find((one) => one.slug === slug)?.revision ?? "–";
