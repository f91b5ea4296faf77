export type DiffLine = { kind: "same" | "old" | "new"; text: string; oldNumber: number | null; newNumber: number | null };

/** Above this product of line counts the middle is shown as replaced whole, so that a huge file cannot hold the page up (CP-11). */
const maxCells = 400_000;

/** The lines of a change. `startLine` is the 1-based number of the first line of both texts. */
export function lineDiff(oldText: string | null, newText: string, startLine = 1): DiffLine[] {
  const a = oldText === null || oldText === "" ? [] : oldText.replace(/\n$/, "").split("\n");
  const b = newText === "" ? [] : newText.replace(/\n$/, "").split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const kinds: DiffLine["kind"][] = [
    ...new Array<"same">(head).fill("same"),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...new Array<"same">(tail).fill("same"),
  ];
  let [i, j] = [0, 0];
  return kinds.map((kind) => {
    const oldNumber = kind === "new" ? null : startLine + i;
    const newNumber = kind === "old" ? null : startLine + j;
    const text = (kind === "new" ? b[j] : a[i]) ?? "";
    if (kind !== "new") i++;
    if (kind !== "old") j++;
    return { kind, text, oldNumber, newNumber };
  });
}

/** Longest common subsequence of two short lists. */
function middle(a: readonly string[], b: readonly string[]): DiffLine["kind"][] {
  const whole: DiffLine["kind"][] = [...a.map(() => "old" as const), ...b.map(() => "new" as const)];
  if (a.length === 0 || b.length === 0 || a.length * b.length > maxCells) return whole;
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const kinds: DiffLine["kind"][] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      kinds.push("same");
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      kinds.push("old");
      i++;
    } else {
      kinds.push("new");
      j++;
    }
  }
  return kinds;
}
