import { CornerDownRight, ListPlus, SendHorizontal, Square } from "lucide-react";
import type { ReactNode } from "react";
import { sessionTexts } from "../../strings/en/session.ts";
import { Button } from "../../ui/button.tsx";

const t = sessionTexts.composer;

type Props = {
  isWorking: boolean;
  isStopping: boolean;
  isEmpty: boolean;
  /** a command is run, it neither steers nor waits for the next turn */
  isCommand: boolean;
  /** a question that stands above has the button */
  canStop: boolean;
  onQueue: () => void;
  onStop: () => void;
};

/** What a message can become, and the stop of what runs. The form's own submit sends or steers. On a phone the icons alone fit beside the controls. */
export const SendButtons = ({ isWorking, isStopping, isEmpty, isCommand, canStop, onQueue, onStop }: Props): ReactNode =>
  isWorking ? (
    <>
      {!isEmpty && !isCommand && (
        <Button size="small" className={touch} title={t.queueHint} onClick={onQueue}>
          <ListPlus aria-hidden className="size-4" /> <Label>{t.queue}</Label>
        </Button>
      )}
      {!isEmpty && (
        <Button title={isCommand ? t.run : t.steerHint} size="small" look="primary" type="submit" className={touch}>
          <CornerDownRight aria-hidden className="size-4" /> <Label>{isCommand ? t.run : t.steer}</Label>
        </Button>
      )}
      {canStop && (
        <Button size="small" look="danger" className={touch} onClick={onStop} disabled={isStopping}>
          <Square aria-hidden className="size-3.5 fill-current" /> <Label>{isStopping ? t.stopping : t.stop}</Label>
        </Button>
      )}
    </>
  ) : (
    <Button size="small" look="primary" type="submit" disabled={isEmpty} className={touch}>
      <SendHorizontal aria-hidden className="size-4" /> <Label>{isCommand ? t.run : t.send}</Label>
    </Button>
  );

const touch = "max-sm:size-11 max-sm:justify-center max-sm:p-0";
const Label = ({ children }: { children: string }): ReactNode => <span className="max-sm:sr-only">{children}</span>;
