import type { ReactNode } from "react";
import { presets as t } from "../../strings/en-presets.ts";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/note.tsx";

/** Somebody else saved first: the text stays, and the writer chooses. */
export const StaleNote = ({ onSaveOver, onDiscard }: { onSaveOver: () => void; onDiscard: () => void }): ReactNode => (
  <Note
    kind="warn"
    title={t.stale}
    action={
      <>
        <Button size="small" onClick={onSaveOver}>
          {t.saveOver}
        </Button>
        <Button size="small" look="quiet" onClick={onDiscard}>
          {t.discard}
        </Button>
      </>
    }
  >
    {t.staleText}
  </Note>
);
