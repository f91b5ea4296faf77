import type { ReactNode } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/note.tsx";

/** Unsaved work of an earlier visit is in the editor again. */
export const BackNote = ({ onDiscard }: { onDiscard: () => void }): ReactNode => (
  <Note
    kind="info"
    title={t.unsavedBack}
    action={
      <Button size="small" className="max-sm:h-11" onClick={onDiscard}>
        {t.discardMine}
      </Button>
    }
  >
    {t.unsavedBackText}
  </Note>
);
