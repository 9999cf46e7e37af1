/** Makes a list in which each text stands once. The empty text has the index 0. */
export function textList() {
  const texts = [''];
  const indexes = new Map([['', 0]]);
  return {
    texts: texts as readonly string[],
    indexOf(text: string): number {
      const known = indexes.get(text);
      if (known !== undefined) return known;
      // A slice would keep the long text that it was cut from in memory. So the text is copied.
      const copy = Buffer.from(text).toString();
      indexes.set(copy, texts.length);
      return texts.push(copy) - 1;
    },
  };
}
