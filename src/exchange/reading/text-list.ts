/** Makes a list of texts that has each text once. The empty text has the index 0. */
export function textList() {
  const texts = [''];
  const indexes = new Map([['', 0]]);
  return {
    texts: texts as readonly string[],
    indexOf(text: string): number {
      const known = indexes.get(text);
      if (known !== undefined) return known;
      // The text may be a slice of a long text, and would keep all of that text in memory. So it is copied.
      const copy = Buffer.from(text).toString();
      indexes.set(copy, texts.length);
      return texts.push(copy) - 1;
    },
  };
}
