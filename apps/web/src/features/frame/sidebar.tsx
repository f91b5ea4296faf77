"use client";
import { useQuery } from "@tanstack/react-query";
import { Activity, Bot, FolderGit2, type LucideIcon, PanelLeftClose, Plus } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { cx } from "../../lib/cx.ts";
import { useIsHydrated } from "../../lib/use-is-hydrated.ts";
import { navTexts } from "../../strings/en/nav.ts";
import { useTRPC } from "../../trpc/client.ts";
import { Button } from "../../ui/button.tsx";
import { OrgButton, UserButton } from "./menu-buttons.tsx";
import { SessionLinks } from "./session-links.tsx";
import { useIsAdmin } from "./use-role.ts";

const OrgMenu = lazy(() => import("./org-menu.tsx"));
const UserMenu = lazy(() => import("./user-menu.tsx"));

const t = navTexts;
const places: readonly { path: string; label: string; icon: LucideIcon }[] = [
  { path: "w", label: t.workspaces, icon: FolderGit2 },
  { path: "settings/models", label: t.models, icon: Bot },
  { path: "admin", label: t.system, icon: Activity },
];
const adminPlace = { path: "admin", label: t.admin, icon: Activity };

type Props = { org: string; onCollapse?: () => void; onShortcuts: () => void };

/** The left frame: organisation, new session, sessions by state, workspaces, settings. */
export function Sidebar({ org, onCollapse, onShortcuts }: Props): ReactNode {
  const path = usePathname();
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.me.get.queryOptions(undefined, { staleTime: 60_000 }));
  const isAdmin = useIsAdmin(org);
  /** the menu whose button was pressed before its code was there */
  const [early, setEarly] = useState<"org" | "user" | null>(null);
  const isHydrated = useIsHydrated();
  return (
    <nav aria-label={t.label} className="flex h-full min-h-0 flex-col">
      <div className="flex items-center gap-1 p-2">
        {!isHydrated ? (
          <OrgButton org={org} me={me} />
        ) : (
          <Suspense fallback={<OrgButton org={org} me={me} onClick={() => setEarly("org")} />}>
            <OrgMenu org={org} me={me} defaultOpen={early === "org"} />
          </Suspense>
        )}
        {onCollapse && (
          <Button look="quiet" size="icon" aria-label={t.collapse} onClick={onCollapse}>
            <PanelLeftClose aria-hidden className="size-4" />
          </Button>
        )}
      </div>
      <div className="px-2 pb-3">
        <Button asChild className="w-full">
          <Link href={`/${org}`}>
            <Plus aria-hidden className="size-4" /> {t.newSession}
            <kbd aria-hidden className="ml-auto rounded border px-1.5 font-mono text-soft text-xs">
              N
            </kbd>
          </Link>
        </Button>
      </div>
      <div className="scroll-quiet relative min-h-0 flex-1 overflow-y-auto px-2">
        <SessionLinks org={org} />
      </div>
      <ul className="border-t p-2">
        {(isAdmin ? [...places.slice(0, -1), adminPlace] : places).map(({ path: place, label, icon: Icon }) => {
          const href = `/${org}/${place}`;
          const isHere = path === href || path.startsWith(`${href}/`);
          return (
            <li key={place}>
              <Link
                href={href}
                aria-current={path === href ? "page" : undefined}
                className={cx("flex items-center gap-2 rounded-md px-2 py-1.5 text-tool hover:bg-hover", isHere && "bg-hover font-medium")}
              >
                <Icon aria-hidden className="size-4 text-soft" /> {label}
              </Link>
            </li>
          );
        })}
      </ul>
      <div className="border-t p-2">
        {!isHydrated ? (
          <UserButton me={me} />
        ) : (
          <Suspense fallback={<UserButton me={me} onClick={() => setEarly("user")} />}>
            <UserMenu org={org} me={me} defaultOpen={early === "user"} onShortcuts={onShortcuts} />
          </Suspense>
        )}
      </div>
    </nav>
  );
}
