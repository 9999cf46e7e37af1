/** Runs `work` for each item, even after a failure. At the end, the first error is thrown. */
export async function tryEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const faults: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}
