const nounFor = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`);

/** Writes a count with its noun: 1 day, 2 days. `write` may format the number, such as 1,000. */
export const plural = (count: number, noun: string, write: (count: number) => string = String): string =>
  `${write(count)} ${nounFor(count, noun)}`;
