"use client";
import type { CallConfig } from "@gantry/contracts";
import { FlaskConical, FolderGit2, GitFork } from "lucide-react";
import Link from "next/link";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { cx } from "../../lib/cx.ts";
import { commonTexts } from "../../strings/en/common.ts";
import { sessionTexts } from "../../strings/en/session.ts";
import { fill } from "../../strings/fill.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import { Tooltip } from "../../ui/tooltip.tsx";
import { useIsDemo } from "../providers/use-is-demo.ts";
import { PresetButton } from "./preset-button.tsx";

const PresetMenu = lazy(() => import("./preset-menu.tsx"));
const SessionMenu = lazy(() => import("./session-menu.tsx"));
const TitleForm = lazy(() => import("./title-form.tsx"));

type Props = {
  org: string;
  session: Outputs["session"]["get"] | undefined;
  title: string | null;
  config: CallConfig | null;
  /** the session has produced nothing, so its preset is still free (G-20) */
  isFresh: boolean;
  needsYou: boolean;
};

/** Title, workspace, preset, model; a scripted model says that it is one. */
export function SessionHeader({ org, session, title, config, isFresh, needsYou }: Props): ReactNode {
  const [isRenaming, setIsRenaming] = useState(false);
  const shown = title ?? session?.title ?? sessionTexts.untitled;
  const tabTitle = needsYou ? fill(sessionTexts.tabNeedsYou, { title: shown }) : shown;
  useEffect(
    function nameTheTab() {
      document.title = `${tabTitle} · ${commonTexts.product}`;
    },
    [tabTitle],
  );
  const isDemo = useIsDemo(org, session?.provider ?? null);
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-3 border-b px-4 py-1.5 max-md:pl-14">
      {session?.parentId && (
        <Link
          href={`/${org}/s/${session.parentId}`}
          prefetch={false}
          aria-label={sessionTexts.forked}
          title={sessionTexts.forked}
          className="-mr-2 flex shrink-0 items-center justify-center rounded-md p-1 text-soft hover:bg-hover hover:text-ink max-sm:size-11"
        >
          <GitFork aria-hidden className="size-4" />
        </Link>
      )}
      <h1 className={cx("min-w-0 truncate font-medium text-sm", isRenaming && "sr-only")} title={shown}>
        <button
          type="button"
          title={sessionTexts.rename}
          disabled={!session}
          onClick={() => setIsRenaming(true)}
          className="max-w-full truncate rounded-md px-1 hover:bg-hover max-sm:min-h-11"
        >
          {shown}
        </button>
      </h1>
      {session && isRenaming && (
        <Suspense>
          <TitleForm org={org} sessionId={session.id} title={title ?? session.title ?? ""} onClose={() => setIsRenaming(false)} />
        </Suspense>
      )}
      <div className="ml-auto flex shrink-0 items-center gap-3 text-soft text-xs sm:min-w-0 sm:shrink">
        {isDemo && (
          <Tooltip text={sessionTexts.demoWhy} side="bottom">
            {(describedBy) => (
              <button
                {...describedBy}
                type="button"
                className="flex cursor-help items-center gap-1 whitespace-nowrap rounded-full border bg-warn-wash px-2 py-0.5 font-medium text-warn max-sm:size-8 max-sm:justify-center max-sm:p-0"
              >
                <FlaskConical aria-hidden className="size-3.5" /> <span className="max-sm:sr-only">{sessionTexts.demo}</span>
              </button>
            )}
          </Tooltip>
        )}
        {session && (
          <>
            <Link
              href={`/${org}/w/${session.workspaceId}`}
              className="flex min-w-0 items-center gap-1 hover:text-ink hover:underline max-sm:hidden"
            >
              <FolderGit2 aria-hidden className="size-3.5 shrink-0" />
              <span className="truncate">{session.workspaceName}</span>
            </Link>
            {session.preset && (
              <Suspense fallback={<PresetButton preset={session.preset} disabled />}>
                <PresetMenu org={org} sessionId={session.id} preset={session.preset} canSwitch={isFresh} />
              </Suspense>
            )}
            <code className="truncate font-mono max-sm:hidden">{config?.model ?? session.model}</code>
            <Suspense fallback={<span className="size-8" />}>
              <SessionMenu org={org} sessionId={session.id} parentId={session.parentId} onRename={() => setIsRenaming(true)} />
            </Suspense>
          </>
        )}
      </div>
    </header>
  );
}
