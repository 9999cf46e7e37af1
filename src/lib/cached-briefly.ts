const KEPT_MS = 1_000;

/**
 * Keeps the results for up to `size` texts that memory must not hold for long, such as user agents: all are let go a second after the
 * first one. A full cache is emptied. Held by test/collect/memory.program.test.ts.
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
