/**
 * What a name may not hold, because a reader sees nothing of it or sees the rest in another order: controls, line and paragraph separators, zero-width
 * characters, marks that turn text around, letters without a shape.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\u115f\u1160\u3164\uffa0]|\u034f|[\u17b4\u17b5]|[\u180b-\u180f]/u;
/** Joins pictures into one: a picture, its colour or variation, the joiner, the next picture. */
const picture = "\\p{Extended_Pictographic}(?:\\ufe0f|\\p{Emoji_Modifier})?";
const joinedPictures = new RegExp(`${picture}(?:\\u200d(?:${picture}|[♀♂⚕⚖✈]\\ufe0f?))+`, "gu");
/** Flags of regions: a black flag, then tag letters and their end. */
const taggedFlags = /\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{2,6}\u{e007f}/gu;
/** In these scripts a joiner between two letters changes their shape, so spelling needs it. */
const scripts = [
  "Arabic",
  "Syriac",
  "Devanagari",
  "Bengali",
  "Gujarati",
  "Gurmukhi",
  "Kannada",
  "Malayalam",
  "Oriya",
  "Sinhala",
  "Tamil",
  "Telugu",
];
const letters = `[${scripts.map((script) => `\\p{Script=${script}}`).join("")}]`;
const joinedLetters = new RegExp(`(?<=${letters})[\\u200c\\u200d](?=${letters})`, "gu");

/** Whether a line holds something that a reader cannot see. Emoji that are made of several stay legal, so do joiners that spelling needs. */
export const hasHidden = (line: string): boolean =>
  hidden.test(line.replace(joinedPictures, "x").replace(taggedFlags, "x").replace(joinedLetters, "x"));
