"use client";
import { Keyboard, LogOut, SlidersHorizontal, UserRound } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { currentTheme, setTheme, type Theme } from "../../lib/theme.ts";
import { authTexts } from "../../strings/en/auth.ts";
import { navTexts } from "../../strings/en/nav.ts";
import type { Me } from "../../trpc/outputs.ts";
import { Menu, MenuItem, MenuLabel, MenuLine } from "../../ui/menu.tsx";
import { UserButton } from "./menu-buttons.tsx";

const t = navTexts;
const themes: readonly [Theme, string][] = [
  ["system", t.themeSystem],
  ["light", t.themeLight],
  ["dark", t.themeDark],
];

type Props = { org: string; me: Me | undefined; defaultOpen: boolean; onShortcuts: () => void };

/** Account, shortcuts, theme, signing out. */
export default function UserMenu({ org, me, defaultOpen, onShortcuts }: Props): ReactNode {
  const [theme, pick] = useState<Theme>(currentTheme);
  return (
    <Menu defaultOpen={defaultOpen} trigger={<UserButton me={me} />}>
      <MenuItem asChild>
        <Link href={`/${org}/settings/account`}>
          <UserRound aria-hidden className="size-4" /> {t.account}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href={`/${org}/settings/personal`}>
          <SlidersHorizontal aria-hidden className="size-4" /> {t.personal}
        </Link>
      </MenuItem>
      <MenuItem onSelect={onShortcuts}>
        <Keyboard aria-hidden className="size-4" /> {t.shortcuts}
      </MenuItem>
      <MenuLine />
      <MenuLabel>{t.theme}</MenuLabel>
      {themes.map(([value, label]) => (
        <MenuItem
          key={value}
          checked={theme === value}
          onSelect={() => {
            setTheme(value);
            pick(value);
          }}
        >
          {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => void leave()}>
        <LogOut aria-hidden className="size-4" /> {authTexts.signOut}
      </MenuItem>
    </Menu>
  );
}

async function leave(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  sessionStorage.clear(); // drafts and messages on their way are this person's, not of who signs in next in this tab
  await signOut({ callbackUrl: "/signin" });
}
