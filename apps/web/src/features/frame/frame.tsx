"use client";
import { useQuery } from "@tanstack/react-query";
import { Menu as MenuIcon, PanelLeftOpen, WifiOff } from "lucide-react";
import { usePathname } from "next/navigation";
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { commonTexts } from "../../strings/en/common.ts";
import { navTexts } from "../../strings/en/nav.ts";
import { useTRPC } from "../../trpc/client.ts";
import { Button } from "../../ui/button.tsx";
import { Denied } from "../../ui/states.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

const NavDrawer = lazy(() => import("./nav-drawer.tsx"));
const ShortcutsDialog = lazy(() => import("./shortcuts-dialog.tsx"));

const collapsedKey = "gantry-nav-collapsed";

/** The frame of every signed-in page: navigation on the left (a drawer on a phone), the page, what is true everywhere. */
export function Frame({ org, children }: { org: string; children: ReactNode }): ReactNode {
  const path = usePathname();
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isCollapsed, setCollapsed] = useState(false);
  const isOnline = useSyncExternalStore(
    subscribeOnline,
    () => navigator.onLine,
    () => true,
  );
  const showHelp = useCallback(() => {
    setDrawerOpen(false);
    setHelpOpen(true);
  }, []);
  useShortcuts(org, showHelp);
  const me = useQuery(useTRPC().me.get.queryOptions(undefined, { staleTime: 60_000 })).data;
  const isMember = !me || me.orgs.some((one) => one.slug === org);

  useEffect(function readCollapsed() {
    setCollapsed(localStorage.getItem(collapsedKey) === "1");
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the drawer
  useEffect(
    function closeDrawer() {
      setDrawerOpen(false);
    },
    [path],
  );
  const collapse = (next: boolean) => {
    localStorage.setItem(collapsedKey, next ? "1" : "0");
    setCollapsed(next);
  };

  return (
    <div className="flex h-dvh overflow-hidden">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-box focus:border focus:bg-card focus:px-3 focus:py-2"
      >
        {commonTexts.skip}
      </a>
      {!isCollapsed && (
        <aside className="w-60 shrink-0 border-r bg-panel max-md:hidden">
          <Sidebar org={org} onCollapse={() => collapse(true)} onShortcuts={showHelp} />
        </aside>
      )}
      {isCollapsed && (
        <aside className="shrink-0 border-r bg-panel p-2 max-md:hidden">
          <Button look="quiet" size="icon" aria-label={navTexts.expand} onClick={() => collapse(false)}>
            <PanelLeftOpen aria-hidden className="size-4" />
          </Button>
        </aside>
      )}
      <Button
        look="quiet"
        size="touch"
        aria-label={navTexts.open}
        onClick={() => setDrawerOpen(true)}
        className="fixed top-0.5 left-1 z-30 justify-center md:hidden"
      >
        <MenuIcon aria-hidden className="size-5" />
      </Button>
      <Suspense>
        {isDrawerOpen && (
          <NavDrawer onClose={() => setDrawerOpen(false)}>
            <Sidebar org={org} onShortcuts={showHelp} />
          </NavDrawer>
        )}
        {isHelpOpen && <ShortcutsDialog onClose={() => setHelpOpen(false)} />}
      </Suspense>
      <div className="flex min-w-0 flex-1 flex-col">
        {!isOnline && (
          <p role="status" className="flex items-center gap-2 border-b bg-warn-wash px-4 py-2 text-tool max-md:pl-14">
            <WifiOff aria-hidden className="size-4 shrink-0 text-warn" /> {commonTexts.offline}
          </p>
        )}
        <div className="relative min-h-0 flex-1 overflow-y-auto">{isMember ? children : <Denied />}</div>
      </div>
    </div>
  );
}

function subscribeOnline(onChange: () => void): () => void {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}
