import { conversationEntries } from "./conversation.ts";
import { makeCatalog } from "./entry.ts";
import { hostEntries } from "./host.ts";
import { permissionEntries } from "./permissions.ts";
import { plannedEntries } from "./planned.ts";
import { presetEntries } from "./preset.ts";

/** The data of every plugin that a row may name. Code: `packages/agent/src/catalog.ts`; a test there holds the two together. */
export const catalogData = makeCatalog([...hostEntries, ...presetEntries, ...conversationEntries, ...permissionEntries, ...plannedEntries]);
