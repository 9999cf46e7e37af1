import type { Column } from './columns.ts';

/** Reading a column again takes as long as counting it; what one filter needs of ten million hits is about a third of this. */
const MOST_BYTES = 24 * 1024 * 1024;
/** What so many questions in a row did not look at may go. */
const STALE = 8;

type Kept = { column: Column; bytes: number; used: number };

/** Columns that are never changed, by a number that is never given again. */
export function columnCache(most = MOST_BYTES) {
  const columns = new Map<number, Kept>();
  let sum = 0;
  let question = 0;

  function makeRoom(bytes: number): boolean {
    for (const [key, { bytes: less, used }] of columns) {
      if (sum + bytes <= most || question - used < STALE) break;
      columns.delete(key);
      sum -= less;
    }
    return sum + bytes <= most;
  }

  return {
    /** Another question begins. */
    turn(): void {
      question++;
    },
    of(key: number, read: () => Column): Column {
      const known = columns.get(key);
      if (known) {
        // Those used last stand last.
        if (known.used !== question) {
          columns.delete(key);
          columns.set(key, known);
          known.used = question;
        }
        return known.column;
      }
      const column = read();
      const bytes = column.terms.byteLength + column.codes.byteLength;
      // What does not fit is read each time: to let the oldest go for it would lose each column just before it is wanted.
      if (makeRoom(bytes)) {
        columns.set(key, { column, bytes, used: question });
        sum += bytes;
      }
      return column;
    },
    forget(): void {
      columns.clear();
      sum = 0;
    },
  };
}
