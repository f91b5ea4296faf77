/** Where the text in a session's composer is kept. */
export const draftKey = (sessionId: string): string => `gantry-draft-${sessionId}`;
