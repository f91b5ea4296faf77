/** Longest delay a timer takes, in milliseconds; a longer one would fire at once. */
export const maxTimerMs = 2_147_483_647;
