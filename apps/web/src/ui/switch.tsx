"use client";
import { Switch as Radix } from "radix-ui";
import type { ReactNode } from "react";

type Props = { checked: boolean; onChange: (checked: boolean) => void; label: string; disabled?: boolean };

export const Switch = ({ checked, onChange, label, disabled = false }: Props): ReactNode => (
  <Radix.Root
    checked={checked}
    onCheckedChange={onChange}
    disabled={disabled}
    aria-label={label}
    className="relative h-6 w-10 shrink-0 rounded-full border border-line-strong bg-hover transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
  >
    <Radix.Thumb className="block size-4 translate-x-1 rounded-full bg-soft transition-transform duration-100 data-[state=checked]:translate-x-[18px] data-[state=checked]:bg-on-accent" />
  </Radix.Root>
);
