"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { navTexts } from "../../strings/en/nav.ts";
import type { Me } from "../../trpc/outputs.ts";
import { Menu, MenuItem, MenuLabel } from "../../ui/menu.tsx";
import { OrgButton } from "./menu-buttons.tsx";

/** Changes between the person's organisations. */
export default function OrgMenu({ org, me, defaultOpen }: { org: string; me: Me | undefined; defaultOpen: boolean }): ReactNode {
  return (
    <Menu defaultOpen={defaultOpen} trigger={<OrgButton org={org} me={me} />}>
      <MenuLabel>{navTexts.organisations}</MenuLabel>
      {(me?.orgs ?? []).map((one) => (
        <MenuItem key={one.id} asChild>
          <Link href={`/${one.slug}`} className={cx(one.slug === org && "font-medium")}>
            {one.name}
          </Link>
        </MenuItem>
      ))}
    </Menu>
  );
}
