/** Epoch milliseconds of the script's start; one that runs itself again with a newer Node hands its start on. */
export const startedAt = Number(process.env.GANTRY_STARTED_AT) || Date.now();
