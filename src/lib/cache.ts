/**
 * Keeps the results for up to so many texts. A full cache is emptied, which costs less than finding the text that was not
 * asked for longest. Texts longer than `longest` are not kept: they hardly come twice, and would fill the memory.
 */
export function cached<Result>(
  compute: (text: string) => Result,
  { size, longest = Number.POSITIVE_INFINITY }: { size: number; longest?: number },
): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    if (text.length > longest) return compute(text);
    const known = results.get(text);
    if (known !== undefined) return known;
    if (results.size >= size) results.clear();
    const result = compute(text);
    results.set(text, result);
    return result;
  };
}
