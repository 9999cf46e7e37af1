const KEPT_MS = 1_000;

/**
 * Stores results in memory for up to `size` texts, such as user agents, for at most one second. These texts come from
 * visitors, so they must not stay in memory longer (test/collect/memory.program.test.ts). A full cache is emptied.
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
