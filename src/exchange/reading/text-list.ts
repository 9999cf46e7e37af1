/** Makes a list in which each text is stored once and gets a number. The number of the empty text is 0. */
export function textList() {
  const texts = [''];
  const indexes = new Map([['', 0]]);
  return {
    texts: texts as readonly string[],
    indexOf(text: string): number {
      const known = indexes.get(text);
      if (known !== undefined) return known;
      // The text is copied. It may be a slice of a long line, and a slice would keep the whole line in memory.
      const copy = Buffer.from(text).toString();
      indexes.set(copy, texts.length);
      return texts.push(copy) - 1;
    },
  };
}
