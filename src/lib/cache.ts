/**
 * Keeps the results for up to `size` keys. A full cache is emptied, which costs less than finding the key that was used least
 * recently. Texts longer than `longest` are not kept: they hardly come twice, and would fill the memory. What else `compute` takes
 * must be the same whenever the key is.
 */
export function cached<Result, Key extends string | number = string, Rest extends unknown[] = []>(
  compute: (key: Key, ...rest: Rest) => Result,
  { size = Number.POSITIVE_INFINITY, longest = Number.POSITIVE_INFINITY } = {},
): (key: Key, ...rest: Rest) => Result {
  const results = new Map<Key, Result>();
  return (key, ...rest) => {
    if (typeof key === 'string' && key.length > longest) return compute(key, ...rest);
    const known = results.get(key);
    if (known !== undefined) return known;
    if (results.size >= size) results.clear();
    const result = compute(key, ...rest);
    results.set(key, result);
    return result;
  };
}
