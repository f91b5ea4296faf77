"use client";
import { useQuery } from "@tanstack/react-query";
import {
  Activity,
  Bot,
  ChevronsUpDown,
  FolderGit2,
  Keyboard,
  LogOut,
  type LucideIcon,
  PanelLeftClose,
  Plus,
  UserRound,
} from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { signOut } from "next-auth/react";
import { type ReactNode, useEffect, useState } from "react";
import { cx } from "../../lib/cx.ts";
import { currentTheme, setTheme, type Theme } from "../../lib/theme.ts";
import { en } from "../../strings/en.ts";
import { useTRPC } from "../../trpc/client.ts";
import { Button } from "../../ui/button.tsx";
import { Logo } from "../../ui/logo.tsx";
import { Menu, MenuItem, MenuLabel, MenuLine } from "../../ui/menu.tsx";
import { SessionLinks } from "./session-links.tsx";

const t = en.nav;
const places: readonly { path: string; label: string; icon: LucideIcon }[] = [
  { path: "w", label: t.workspaces, icon: FolderGit2 },
  { path: "settings/models", label: t.models, icon: Bot },
  { path: "admin", label: t.system, icon: Activity },
];

type Props = { org: string; onCollapse?: () => void; onShortcuts: () => void };

/** The left frame: organisation, new session, sessions by state, workspaces, settings. */
export function Sidebar({ org, onCollapse, onShortcuts }: Props): ReactNode {
  const path = usePathname();
  return (
    <nav aria-label={t.label} className="flex h-full min-h-0 flex-col">
      <div className="flex items-center gap-1 p-2">
        <OrgMenu org={org} />
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
      <div className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-2">
        <SessionLinks org={org} />
      </div>
      <ul className="border-t p-2">
        {places.map(({ path: place, label, icon: Icon }) => {
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
        <UserMenu org={org} onShortcuts={onShortcuts} />
      </div>
    </nav>
  );
}

function OrgMenu({ org }: { org: string }): ReactNode {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.me.get.queryOptions(undefined, { staleTime: 60_000 }));
  const name = data?.orgs.find((one) => one.slug === org)?.name ?? org;
  return (
    <Menu
      trigger={
        <Button look="bare" className="min-w-0 flex-1 px-1.5">
          <Logo />
          <span className="min-w-0 truncate font-semibold">{name}</span>
          <ChevronsUpDown aria-hidden className="ml-auto size-4 shrink-0 text-soft" />
        </Button>
      }
    >
      <MenuLabel>{t.organisations}</MenuLabel>
      {(data?.orgs ?? []).map((one) => (
        <MenuItem key={one.id} asChild>
          <Link href={`/${one.slug}`} className={cx(one.slug === org && "font-medium")}>
            {one.name}
          </Link>
        </MenuItem>
      ))}
    </Menu>
  );
}

function UserMenu({ org, onShortcuts }: { org: string; onShortcuts: () => void }): ReactNode {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.me.get.queryOptions(undefined, { staleTime: 60_000 }));
  const [theme, pick] = useState<Theme>("system");
  useEffect(function readTheme() {
    pick(currentTheme());
  }, []);
  const choose = (next: Theme) => () => {
    setTheme(next);
    pick(next);
  };
  return (
    <Menu
      trigger={
        <Button look="bare" className="w-full px-1.5" aria-label={`${t.account}: ${data?.user.name ?? ""}`}>
          <span
            aria-hidden
            className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-wash font-medium text-accent text-xs"
          >
            {data?.user.name.slice(0, 1).toUpperCase()}
          </span>
          <span className="min-w-0 truncate text-tool">{data?.user.name}</span>
          <ChevronsUpDown aria-hidden className="ml-auto size-4 shrink-0 text-soft" />
        </Button>
      }
    >
      <MenuItem asChild>
        <Link href={`/${org}/settings/account`}>
          <UserRound aria-hidden className="size-4" /> {t.account}
        </Link>
      </MenuItem>
      <MenuItem onSelect={onShortcuts}>
        <Keyboard aria-hidden className="size-4" /> {t.shortcuts}
      </MenuItem>
      <MenuLine />
      <MenuLabel>{t.theme}</MenuLabel>
      <MenuItem onSelect={choose("system")} checked={theme === "system"}>
        {t.themeSystem}
      </MenuItem>
      <MenuItem onSelect={choose("light")} checked={theme === "light"}>
        {t.themeLight}
      </MenuItem>
      <MenuItem onSelect={choose("dark")} checked={theme === "dark"}>
        {t.themeDark}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => void signOut({ callbackUrl: "/signin" })}>
        <LogOut aria-hidden className="size-4" /> {en.auth.signOut}
      </MenuItem>
    </Menu>
  );
}
