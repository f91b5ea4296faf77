/** Counts what passed, failed and was skipped over all levels. */
export function createTally() {
  let passed = 0;
  const failed = [];
  const skipped = [];
  return {
    pass: (count = 1) => (passed += count),
    fail: (name) => failed.push(name),
    skip: (name, why) => skipped.push(why ? `${name}: ${why}` : name),
    get failures() {
      return failed.length;
    },
    /** Names of what failed and what was skipped, then the one line that tools read. */
    report() {
      const lists = [list("Failed", failed), list("Skipped", skipped)].filter(Boolean).join("\n");
      const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
      return `${lists ? `\n${lists}\n` : ""}\n${passed} passed, ${failed.length} failed${tail}`;
    },
  };
}

const list = (title, names) => (names.length > 0 ? `${title}:\n${names.map((name) => `  - ${name}`).join("\n")}` : "");
