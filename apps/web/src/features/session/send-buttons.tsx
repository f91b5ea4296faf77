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
  onQueue: () => void;
  onStop: () => void;
};

/** What a message can become, and the stop of what runs. The form's own submit sends or steers. */
export const SendButtons = ({ isWorking, isStopping, isEmpty, isCommand, onQueue, onStop }: Props): ReactNode =>
  isWorking ? (
    <>
      {!isEmpty && !isCommand && (
        <Button size="small" className="max-sm:h-11" title={t.queueHint} onClick={onQueue}>
          <ListPlus aria-hidden className="size-4" /> {t.queue}
        </Button>
      )}
      {!isEmpty && (
        <Button title={isCommand ? t.run : t.steerHint} size="small" look="primary" type="submit" className="max-sm:h-11">
          <CornerDownRight aria-hidden className="size-4" /> {isCommand ? t.run : t.steer}
        </Button>
      )}
      <Button size="small" look="danger" className="max-sm:h-11 max-sm:min-w-11" onClick={onStop} disabled={isStopping}>
        <Square aria-hidden className="size-3.5 fill-current" /> {isStopping ? t.stopping : t.stop}
      </Button>
    </>
  ) : (
    <Button size="small" look="primary" type="submit" disabled={isEmpty} className="max-sm:h-11 max-sm:min-w-11">
      <SendHorizontal aria-hidden className="size-4" /> {isCommand ? t.run : t.send}
    </Button>
  );
