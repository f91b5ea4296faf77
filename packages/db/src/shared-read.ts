type Line = { readonly settled: Promise<void>; next: Promise<unknown> | null };
const lines = new Map<string, Line>();

/**
 * One read for all who ask for the same thing while another one of it is under way: it begins after each of them has asked, so nobody gets what
 * was stored before their question. `key` names what is read and whose it is. @throws what `read` throws, to all who share it
 */
export function sharedRead<T>(key: string, read: () => Promise<T>): Promise<T> {
  const line = lines.get(key);
  if (!line) return begin(key, read);
  line.next ??= line.settled.then(() => begin(key, read));
  return line.next as Promise<T>;
}

function begin<T>(key: string, read: () => Promise<T>): Promise<T> {
  const result = read();
  const forget = () => {
    if (line.next === null) lines.delete(key);
  };
  const line: Line = { settled: result.then(forget, forget), next: null };
  lines.set(key, line);
  return result;
}
