"use client";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSearchParam } from "../../lib/use-search-param.ts";
import { admin } from "../../strings/en/admin.ts";
import { useTRPC } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { TabPanel, Tabs } from "../../ui/tabs.tsx";
import { profile } from "../composition/profile.ts";
import { BundleList } from "./bundle-list.tsx";
import { Catalogue } from "./catalogue.tsx";
import { PluginRows } from "./plugin-rows.tsx";

const t = admin.plugins;
type View = keyof typeof t.views;

/** The plugin manager: rows with their states, bundles, and the catalogue. */
export function PluginsPage({ org }: { org: string }): ReactNode {
  const [asked, setView] = useSearchParam("view");
  const view: View = asked !== null && Object.hasOwn(t.views, asked) ? (asked as View) : "rows";
  const [filter, setFilter] = useState("");
  const { data, error, refetch } = useQuery(useTRPC().plugin.list.queryOptions({ org, profile }));
  return (
    <Page wide title={t.title} lead={`${t.lead} ${admin.newSessionsOnly}`}>
      <Tabs label={t.viewsLabel} value={view} onChange={setView} views={t.views}>
        {view !== "bundles" && (
          <div className="mb-4 max-w-sm">
            <Field label={t.filter}>
              {(control) => <Input {...control} type="search" value={filter} onChange={(event) => setFilter(event.target.value)} />}
            </Field>
          </div>
        )}
        {error ? (
          <ProblemState error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={6} />
        ) : (
          <>
            <TabPanel value="rows">
              <PluginRows org={org} rows={data.rows.filter(matching(filter))} revision={data.revision} />
            </TabPanel>
            <TabPanel value="bundles">
              <BundleList org={org} bundles={data.bundles} revision={data.revision} />
            </TabPanel>
            <TabPanel value="catalogue">
              <Catalogue plugins={data.catalogue.filter(matching(filter))} />
            </TabPanel>
          </>
        )}
      </Tabs>
    </Page>
  );
}

/** Every word is somewhere in the name, the description or the services. */
function matching(filter: string) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return (one: { id?: string; name: string; description: string; provides: readonly string[]; requires: readonly string[] }): boolean => {
    const text = [one.id, one.name, one.description, ...one.provides, ...one.requires].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
