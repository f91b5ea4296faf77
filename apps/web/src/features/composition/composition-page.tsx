"use client";
import { lazy, type ReactNode, Suspense } from "react";
import { useSearchParam } from "../../lib/use-search-param.ts";
import { admin } from "../../strings/en/admin.ts";
import { Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { TabPanel, Tabs } from "../../ui/tabs.tsx";
import { CompositionRows } from "./composition-rows.tsx";

const LayerEditor = lazy(() => import("./layer-editor.tsx"));
const LayerRevisions = lazy(() => import("./layer-revisions.tsx"));

const t = admin.composition;
type View = keyof typeof t.views;

/** What sessions mount besides their preset, who wrote each row, and the organisation's own layer. */
export function CompositionPage({ org }: { org: string }): ReactNode {
  const [asked, setView] = useSearchParam("view");
  const view: View = asked !== null && Object.hasOwn(t.views, asked) ? (asked as View) : "rows";
  return (
    <Page wide title={t.title} lead={`${t.lead} ${admin.newSessionsOnly}`}>
      <Tabs label={t.viewsLabel} value={view} onChange={setView} views={t.views}>
        <Suspense fallback={<SkeletonRows rows={4} />}>
          <TabPanel value="rows">
            <CompositionRows org={org} asText={false} />
          </TabPanel>
          <TabPanel value="text">
            <CompositionRows org={org} asText />
          </TabPanel>
          <TabPanel value="layer">
            <LayerEditor org={org} />
          </TabPanel>
          <TabPanel value="revisions">
            <LayerRevisions org={org} />
          </TabPanel>
        </Suspense>
      </Tabs>
    </Page>
  );
}
