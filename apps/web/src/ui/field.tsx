"use client";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "../lib/cx.ts";

const box =
  "w-full rounded-box border border-line-strong bg-card px-3 text-sm text-ink hover:border-soft focus-visible:border-accent focus-visible:outline-offset-[-1px] aria-invalid:border-bad disabled:opacity-60";
/** text that can be read and selected, not changed */
const fixed = "read-only:bg-panel read-only:hover:border-line-strong";

type FieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  children: (control: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }) => ReactNode;
};

/** A label, its control, a hint and what is wrong with the value. */
export function Field({ label, hint, error, children }: FieldProps): ReactNode {
  const id = useId();
  const describedBy = cx(hint != null && `${id}-hint`, error && `${id}-error`);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, ...(describedBy && { "aria-describedby": describedBy }), ...(error && { "aria-invalid": true }) })}
      {hint != null && (
        <p id={`${id}-hint`} className="text-tool text-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-tool text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

export const Input = ({ className, ...rest }: ComponentProps<"input">): ReactNode => (
  <input className={cx(box, fixed, "h-9", className)} {...rest} />
);
export const Textarea = ({ className, ...rest }: ComponentProps<"textarea">): ReactNode => (
  <textarea className={cx(box, fixed, "min-h-20 py-2", className)} {...rest} />
);
export const Select = ({ className, ...rest }: ComponentProps<"select">): ReactNode => (
  <select className={cx(box, "h-9 pr-8", className)} {...rest} />
);
