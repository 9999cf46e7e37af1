/**
 * Stores the results of a function in memory for up to `size` keys. A full cache is emptied completely, because keeping
 * track of the oldest key would make each call slower. Texts longer than `longest` are not stored, because they rarely
 * come twice and need much memory.
 */
export function cached<Result, Key extends string | number = string>(
  compute: (key: Key) => Result,
  { size = Number.POSITIVE_INFINITY, longest = Number.POSITIVE_INFINITY } = {},
): (key: Key) => Result {
  const results = new Map<Key, Result>();
  return (key) => {
    if (typeof key === 'string' && key.length > longest) return compute(key);
    const known = results.get(key);
    if (known !== undefined) return known;
    if (results.size >= size) results.clear();
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
