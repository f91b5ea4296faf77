import type { ReactNode } from "react";
import { admin } from "../../strings/en/admin.ts";
import { fill } from "../../strings/fill.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import { Note } from "../../ui/note.tsx";

const t = admin.plugins;

/** The code of a change that waits for a second confirmation, in its dialog. */
export const breaking = "PRESETS_BREAK";

/** How an operation ended: what was saved, when it takes effect, what it warns about (N-9). */
export function OperationNote({ result }: { result: Outputs["plugin"]["setEnabled"] | undefined }): ReactNode {
  if (!result) return null;
  const isRefused = result.code !== null;
  const title = isRefused ? admin.composition.refused : result.saved ? fill(t.done, { n: result.revision }) : t.nothingDone;
  return (
    <Note kind={isRefused ? "bad" : result.affectedPresets.length > 0 ? "warn" : "good"} title={title}>
      {isRefused && <p>{result.message ?? result.code}</p>}
      {result.affectedPresets.length > 0 && <p>{fill(t.presetsGone, { presets: result.affectedPresets.join(", ") })}</p>}
      {result.warnings.length > 0 && (
        <>
          <p>{t.warnings}:</p>
          <ul className="ml-4 list-disc">
            {result.warnings.map((warning) => (
              <li key={warning} className="break-words">
                {warning}
              </li>
            ))}
          </ul>
        </>
      )}
    </Note>
  );
}
