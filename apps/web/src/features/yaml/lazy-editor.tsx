"use client";
import { lazy, type ReactNode, Suspense } from "react";
import { Skeleton } from "../../ui/states.tsx";
import type { EditorProps } from "./editor.tsx";

const Editor = lazy(() => import("./editor.tsx"));

/** The editor loads when it is first shown. */
export const YamlEditor = (props: EditorProps): ReactNode => (
  <Suspense fallback={<Skeleton className="h-72" />}>
    <Editor {...props} />
  </Suspense>
);
