"use client";
import { ChevronsUpDown } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { navTexts } from "../../strings/en/nav.ts";
import type { Me } from "../../trpc/outputs.ts";
import { Button } from "../../ui/button.tsx";
import { Logo } from "../../ui/logo.tsx";

type Rest = ComponentProps<typeof Button>;

/** The organisation's name; opens its menu once that is loaded. */
export const OrgButton = ({ org, me, ...rest }: Rest & { org: string; me: Me | undefined }): ReactNode => (
  <Button look="bare" className="min-w-0 flex-1 px-1.5" {...rest}>
    <Logo />
    <span className="min-w-0 truncate font-semibold">{me?.orgs.find((one) => one.slug === org)?.name ?? org}</span>
    <ChevronsUpDown aria-hidden className="ml-auto size-4 shrink-0 text-soft" />
  </Button>
);

export const UserButton = ({ me, ...rest }: Rest & { me: Me | undefined }): ReactNode => (
  <Button look="bare" className="w-full px-1.5" {...rest}>
    <span
      aria-hidden
      className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-wash font-medium text-accent text-xs"
    >
      {me?.user.name.slice(0, 1).toUpperCase()}
    </span>
    <span className="min-w-0 truncate text-tool">
      <span className="sr-only">{navTexts.account}: </span>
      {me?.user.name}
    </span>
    <ChevronsUpDown aria-hidden className="ml-auto size-4 shrink-0 text-soft" />
  </Button>
);
