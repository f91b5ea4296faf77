import type { Question } from "@gantry/contracts";

/** What a person has picked and written so far, by question id. */
export type Draft = Readonly<Record<string, { readonly selected: readonly string[]; readonly custom: string }>>;

const nothing = { selected: [], custom: "" } as const;
export const draftOf = (draft: Draft, id: string): Draft[string] => draft[id] ?? nothing;

/** Picks an option, or lets it go; where one may be chosen, it takes the place of the other and of the person's own words. */
export function pick(draft: Draft, question: Question, label: string, isOn: boolean): Draft {
  const { selected, custom } = draftOf(draft, question.id);
  if (!question.multiSelect) return { ...draft, [question.id]: { selected: isOn ? [label] : [], custom: isOn ? "" : custom } };
  const others = selected.filter((one) => one !== label);
  return { ...draft, [question.id]: { selected: isOn ? [...others, label] : others, custom } };
}

/** Own words; where one may be chosen, they take the place of the choice. */
export function write(draft: Draft, question: Question, custom: string): Draft {
  const { selected } = draftOf(draft, question.id);
  return { ...draft, [question.id]: { selected: question.multiSelect || custom.trim() === "" ? selected : [], custom } };
}

/** What is sent: options in the order in which they were offered; questions without an answer are left out, they count as skipped. */
export function answersOf(draft: Draft, questions: readonly Question[]): { id: string; selected: string[]; custom?: string }[] {
  return questions.flatMap(({ id, options }) => {
    const { selected, custom } = draftOf(draft, id);
    const chosen = options.map(({ label }) => label).filter((label) => selected.includes(label));
    const own = custom.trim();
    return chosen.length === 0 && own === "" ? [] : [{ id, selected: chosen, ...(own !== "" && { custom: own }) }];
  });
}
