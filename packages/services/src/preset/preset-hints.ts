import { type EditorHints, editorHints } from "@gantry/compose";

/** What an editor of presets may offer: plugins with their config, operators, facts. The same for every organisation. */
export const getPresetHints = (): EditorHints => editorHints();
