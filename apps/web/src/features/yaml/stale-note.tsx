import type { ReactNode } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/note.tsx";

type Props = { isBusy: boolean; onSaveOver: () => void; onDiscard: () => void; children: ReactNode };

/** Somebody else saved first: what they saved (`children`), the text that stays, and the writer's choice. It stands in the place of the ordinary save. */
export const StaleNote = ({ isBusy, onSaveOver, onDiscard, children }: Props): ReactNode => (
  <Note
    kind="warn"
    title={t.stale}
    action={
      <>
        <Button size="small" className="max-sm:h-11" busy={isBusy} onClick={onSaveOver}>
          {t.saveOver}
        </Button>
        <Button size="small" look="quiet" className="max-sm:h-11" onClick={onDiscard}>
          {t.discardMine}
        </Button>
      </>
    }
  >
    {children}
    <p>{t.staleText}</p>
  </Note>
);
