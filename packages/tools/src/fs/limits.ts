/** Lines one read returns at most, and by default. */
export const maxLines = 2_000;
/** UTF-16 units shown of one line. */
export const maxLineChars = 2_000;
/** UTF-8 bytes of one window, separators included. */
export const maxWindowBytes = 51_200;
