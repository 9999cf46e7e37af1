/** Makes a list that stores each text once and gives it a number. The empty text has the number 0. */
export function textList() {
  const texts = [''];
  const indexes = new Map([['', 0]]);
  return {
    texts: texts as readonly string[],
    indexOf(text: string): number {
      const known = indexes.get(text);
      if (known !== undefined) return known;
      // The text may be a slice of a long line. A slice keeps the whole line in memory, so the text is copied.
      const copy = Buffer.from(text).toString();
      indexes.set(copy, texts.length);
      return texts.push(copy) - 1;
    },
  };
}
