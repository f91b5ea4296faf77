import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { admin } from "../../strings/en/admin.ts";
import { fill } from "../../strings/fill.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import { Badge } from "../../ui/badge.tsx";

const t = admin.plugins;
type Plugin = Outputs["plugin"]["list"]["catalogue"][number];

/** Every plugin that this release knows. */
export const Catalogue = ({ plugins }: { plugins: readonly Plugin[] }): ReactNode =>
  plugins.length === 0 ? (
    <p className="text-soft text-sm">{t.nothing}</p>
  ) : (
    <ul className="divide-y overflow-hidden rounded-box border bg-card">
      {plugins.map((plugin) => (
        <li key={plugin.name} className="px-4 py-2.5">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="break-all font-mono text-tool">{plugin.name}</span>
            {plugin.planes.map((plane) => (
              <Badge key={plane}>{plane}</Badge>
            ))}
            {plugin.isPlanned && <Badge tone="warn">{t.planned}</Badge>}
            {plugin.isLocked && <Lock role="img" aria-label={t.locked} className="size-3.5 text-soft" />}
          </p>
          <p className="break-words text-soft text-tool">{plugin.description}</p>
          {(plugin.provides.length > 0 || plugin.requires.length > 0) && (
            <p className="break-words text-soft text-xs">
              {[
                plugin.provides.length > 0 && fill(t.provides, { services: plugin.provides.join(", ") }),
                plugin.requires.length > 0 && fill(t.requires, { services: plugin.requires.join(", ") }),
              ]
                .filter(Boolean)
                .join(". ")}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
