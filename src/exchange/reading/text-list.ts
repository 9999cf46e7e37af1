/** A list of texts, each once; the empty text has index 0. */
export function textList() {
  const texts = [''];
  const indexes = new Map([['', 0]]);
  return {
    texts: texts as readonly string[],
    indexOf(text: string): number {
      const known = indexes.get(text);
      if (known !== undefined) return known;
      // A copy, because a slice of a longer text keeps all of that text in memory.
      const copy = Buffer.from(text).toString();
      indexes.set(copy, texts.length);
      return texts.push(copy) - 1;
    },
  };
}
