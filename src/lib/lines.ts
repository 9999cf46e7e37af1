/**
 * A queue that consists of several lines. The lines take turns, so a line with many items does not block the other
 * lines.
 */
export function makeLines<Item>() {
  const waiting = new Map<number, Item[]>();
  let count = 0;

  return {
    count: () => count,
    countIn: (line: number): number => waiting.get(line)?.length ?? 0,
    add(line: number, item: Item): void {
      const items = waiting.get(line);
      if (items) items.push(item);
      else waiting.set(line, [item]);
      count++;
    },
    /** Removes and returns the next item. Its line then comes after all other lines. */
    next(): Item | undefined {
      const [first] = waiting;
      if (!first) return undefined;
      const [line, items] = first;
      const item = items.shift();
      waiting.delete(line);
      if (items.length > 0) waiting.set(line, items);
      count--;
      return item;
    },
    /**
     * Makes room for an item of `line`: removes the last item of the longest line, and returns it. Returns undefined if
     * `line` is less than two items shorter. So the items of a few long lines cannot fill a queue for good.
     */
    giveWay(line: number): Item | undefined {
      const [longest] = [...waiting].sort(([, one], [, other]) => other.length - one.length);
      if (!longest || longest[1].length < this.countIn(line) + 2) return undefined;
      const last = longest[1].at(-1) as Item;
      this.remove(longest[0], last);
      return last;
    },
    remove(line: number, item: Item): void {
      const items = waiting.get(line) ?? [];
      const place = items.indexOf(item);
      if (place < 0) return;
      items.splice(place, 1);
      if (items.length === 0) waiting.delete(line);
      count--;
    },
  };
}
