"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { admin } from "../../strings/en/admin.ts";
import { ScrollRow } from "../../ui/scroll-row.tsx";
import { Denied, SkeletonRows } from "../../ui/states.tsx";
import { useIsAdmin } from "../frame/use-role.ts";

const t = admin.places;
const places = [
  ["", t.system],
  ["/presets", t.presets],
  ["/composition", t.composition],
  ["/plugins", t.plugins],
  ["/settings", t.settings],
] as const;

/** The pages of admins with their navigation. Others see the system page alone; all else reads as not there. */
export function AdminArea({ org, children }: { org: string; children: ReactNode }): ReactNode {
  const path = usePathname();
  const isAdmin = useIsAdmin(org);
  const base = `/${org}/admin`;
  if (path === base && isAdmin !== true) return children;
  if (isAdmin === false) return <Denied />;
  if (isAdmin === undefined)
    return (
      <main id="content" className="mx-auto w-full max-w-3xl px-4 pt-14 md:px-8 md:pt-10">
        <SkeletonRows rows={4} />
      </main>
    );
  return (
    <div data-subnav>
      <nav aria-label={admin.label} className="sticky top-0 z-20 border-b bg-page px-4 max-md:pr-0 max-md:pl-14 md:px-8">
        <ScrollRow>
          <ul className="flex gap-1">
            {places.map(([place, label]) => {
              const href = base + place;
              const isHere = place === "" ? path === base : path.startsWith(href);
              return (
                <li key={place}>
                  <Link
                    href={href}
                    prefetch={false}
                    aria-current={path === href ? "page" : isHere ? "true" : undefined}
                    className={cx(
                      "-mb-px flex h-12 items-center whitespace-nowrap border-b-2 px-3 text-sm focus-visible:outline-offset-[-2px]",
                      isHere ? "border-accent font-medium" : "border-transparent text-soft hover:text-ink",
                    )}
                  >
                    {label}
                  </Link>
                </li>
              );
            })}
          </ul>
        </ScrollRow>
      </nav>
      {children}
    </div>
  );
}
