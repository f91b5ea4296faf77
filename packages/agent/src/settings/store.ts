import type { JsonObject } from "@gantry/contracts";

/** What an org stored for one namespace, sparse; `revision` grows with each write. */
export type OrgSection = { readonly namespace: string; readonly value: JsonObject; readonly revision: number };

/** Kernel service `settingsStore`: the sections that the org has stored, given to its root by the worker. */
export interface SettingsStore {
  /** the org's section of a namespace; undefined when it has none */
  section(namespace: string): JsonObject | undefined;
  /** Calls back after each change until the answer is called. */
  watch(onChange: () => void): () => void;
}

declare module "@gantry/kernel" {
  interface Context {
    settingsStore: SettingsStore;
  }
}

/** A store and the end that the worker fills. */
export type FilledStore = { readonly store: SettingsStore; refresh(sections: readonly OrgSection[]): void };

/**
 * A store in memory. `refresh` takes all of the org's sections as one reader saw them; readers overlap, so a section with an earlier
 * revision than the one known changes nothing.
 */
export function createSettingsStore(): FilledStore {
  let sections: ReadonlyMap<string, OrgSection> = new Map();
  const watchers = new Set<() => void>();
  return {
    store: {
      section: (namespace) => sections.get(namespace)?.value,
      watch(onChange) {
        const watcher = () => onChange(); // the same function may watch twice
        watchers.add(watcher);
        return () => watchers.delete(watcher);
      },
    },
    refresh(read) {
      const newest = read.map((section) => {
        const known = sections.get(section.namespace);
        return known && known.revision > section.revision ? known : section;
      });
      const isSame = newest.length === sections.size && newest.every((one) => sections.get(one.namespace)?.revision === one.revision);
      if (isSame) return;
      sections = new Map(newest.map((section) => [section.namespace, section]));
      for (const watcher of [...watchers]) watcher();
    },
  };
}
