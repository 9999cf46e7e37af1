/** Texts by their places in a list, each once; the empty one has the first. */
export function textList() {
  const texts = [''];
  const places = new Map([['', 0]]);
  return {
    texts: texts as readonly string[],
    placeOf(text: string): number {
      const known = places.get(text);
      if (known !== undefined) return known;
      // A copy, because a part of a longer text keeps all of that in memory.
      const own = Buffer.from(text).toString();
      places.set(own, texts.length);
      return texts.push(own) - 1;
    },
  };
}
