import type { AutoContinue } from "@gantry/agent";
import { effectiveSettings, settingsNamespaces } from "@gantry/compose";
import type { JsonObject } from "@gantry/contracts";
import type { SessionHeader } from "./load-session.ts";

const namespace = settingsNamespaces.find(({ name }) => name === "recovery");

/** What the org, and its workspace over it, let a session do after its turn was cut (REC-10). Read at each pickup. */
export function autoContinue({ settings }: Pick<SessionHeader, "settings">): AutoContinue {
  if (!namespace) throw new Error("the settings catalogue has no namespace recovery");
  const stored = settings.filter((section) => section.namespace === namespace.name);
  const sections = Object.fromEntries(stored.map(({ level, value }) => [level, value as JsonObject]));
  return (effectiveSettings(namespace, sections) as { autoContinue: AutoContinue }).autoContinue;
}
