import { CircleAlert, type LucideIcon } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { commonTexts } from "../strings/en/common.ts";
import { Button } from "./button.tsx";

/** A grey bar in the place of what is loading; it shows only after 200 ms. */
export const Skeleton = ({ className }: { className?: string }): ReactNode => (
  <div aria-hidden className={cx("appear-late rounded-md bg-hover", className)} />
);

export const SkeletonRows = ({ rows, className }: { rows: number; className?: string }): ReactNode => (
  <div role="status" aria-label={commonTexts.loading} className="flex flex-col gap-2">
    {Array.from({ length: rows }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never move
      <Skeleton key={at} className={className ?? "h-14"} />
    ))}
  </div>
);

type EmptyProps = { icon: LucideIcon; title: string; text: string; children?: ReactNode };

/** Says what the thing is for and offers the first step. */
export const EmptyState = ({ icon: Icon, title, text, children }: EmptyProps): ReactNode => (
  <div className="flex flex-col items-center rounded-box border border-dashed px-6 py-10 text-center">
    <Icon aria-hidden className="mb-3 size-6 text-soft" />
    <h2 className="font-medium text-base">{title}</h2>
    <p className="mt-1 max-w-md text-soft text-sm">{text}</p>
    {children && <div className="mt-4 flex flex-wrap justify-center gap-2">{children}</div>}
  </div>
);

/** `level` 1 where the error is all the page has. */
type ErrorProps = {
  level?: 1 | 2;
  what: string;
  why: string;
  todo?: string;
  id?: string | null;
  onRetry?: () => void;
  children?: ReactNode;
};

/** Says what happened, why, what to do, and gives an id to quote. */
export const ErrorState = ({ level = 2, what, why, todo, id, onRetry, children }: ErrorProps): ReactNode => {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div role="alert" className="rounded-box border bg-bad-wash p-4">
      <div className="flex gap-3">
        <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />
        <div className="min-w-0 flex-1">
          <Heading className="font-medium text-sm">{what}</Heading>
          <p className="mt-1 break-words text-sm">{why}</p>
          {todo && <p className="mt-1 text-sm">{todo}</p>}
          {(onRetry || children) && (
            <div className="mt-3 flex flex-wrap gap-2">
              {onRetry && (
                <Button size="small" onClick={onRetry}>
                  {commonTexts.retry}
                </Button>
              )}
              {children}
            </div>
          )}
          {id && (
            <p className="mt-3 text-soft text-xs">
              {commonTexts.quoteId} <code className="select-all font-mono">{id}</code>
            </p>
          )}
        </div>
      </div>
    </div>
  );
};

/** All of a page that is not there, or not for this person: the two look alike. */
export const Denied = (): ReactNode => (
  <main id="content" className="mx-auto max-w-xl p-8 max-md:px-4 max-md:pt-14">
    <ErrorState level={1} what={commonTexts.errors.denied} why={commonTexts.errors.deniedWhy} todo={commonTexts.errors.deniedTodo}>
      <Button asChild size="small">
        <Link href="/">{commonTexts.errors.home}</Link>
      </Button>
    </ErrorState>
  </main>
);
