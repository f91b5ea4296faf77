"use client";
import { Download, Ellipsis, GitFork, Pencil } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { agentTexts } from "../../strings/en/agent.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuLabel, MenuLine } from "../../ui/menu.tsx";
import { exportHref } from "./export-href.ts";
import { useFork } from "./use-fork.ts";

const t = agentTexts.menu;
const formats = ["markdown", "html", "jsonl"] as const;

type Props = { org: string; sessionId: string; parentId: string | null; onRename: () => void };

/** What can be done with the session as a whole. */
export default function SessionMenu({ org, sessionId, parentId, onRename }: Props): ReactNode {
  const { fork, start } = useFork(org, sessionId);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button look="quiet" size="icon" aria-label={t.label} title={t.label} className="max-sm:size-11">
            <Ellipsis aria-hidden className="size-4" />
          </Button>
        }
      >
        <MenuItem onSelect={onRename}>
          <Pencil aria-hidden className="size-4" /> {t.rename}
        </MenuItem>
        <MenuItem onSelect={() => start(null)}>
          <GitFork aria-hidden className="size-4" /> {t.fork}
        </MenuItem>
        {parentId && (
          <MenuItem asChild>
            <Link href={`/${org}/s/${parentId}`} prefetch={false}>
              <GitFork aria-hidden className="size-4 rotate-180" /> {t.parent}
            </Link>
          </MenuItem>
        )}
        <MenuLine />
        <MenuLabel>{t.export}</MenuLabel>
        {formats.map((format) => (
          <MenuItem key={format} asChild>
            <a href={exportHref(org, sessionId, format)} download>
              <Download aria-hidden className="size-4" /> {t[format]}
            </a>
          </MenuItem>
        ))}
      </Menu>
      {fork.error && (
        <span role="alert" className="text-bad">
          {agentTexts.footer.forkFailed} {problemOf(fork.error).why}
        </span>
      )}
    </>
  );
}
