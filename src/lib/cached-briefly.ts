const KEPT_MS = 1_000;

/**
 * Stores the results of a function for up to `size` texts, such as user agents. These texts may stay in memory for at
 * most one second, because they come from visitors. A full cache is emptied (test/collect/memory.program.test.ts).
 */
export function cachedBriefly<Result>(compute: (text: string) => Result, size: number): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    if (results.size >= size) results.clear();
    if (results.size === 0) setTimeout(() => results.clear(), KEPT_MS).unref();
    const result = compute(text);
    results.set(text, result);
    return result;
  };
}
