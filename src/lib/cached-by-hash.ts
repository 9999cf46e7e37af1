import { hash } from 'node:crypto';

/**
 * Keeps the results for up to `size` texts that memory must not hold, such as user agents: by their hashes. A full cache is emptied.
 * Held by test/collect/memory.program.test.ts.
 */
export function cachedByHash<Result>(compute: (text: string) => Result, size: number): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const key = hash('sha256', text, 'base64');
    const known = results.get(key);
    if (known !== undefined) return known;
    if (results.size >= size) results.clear();
    const result = compute(text);
    results.set(key, result);
    return result;
  };
}
