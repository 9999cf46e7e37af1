import { clock, now } from '../cli/command.ts';
import { abandonImport, addImport, showImport, stageOpen, termsFor } from '../ledger/imports.ts';
import { addUpMonths } from '../ledger/months.ts';
import { type Sealed, stage } from '../ledger/seal.ts';
import { sweep } from '../ledger/sweep.ts';
import { politely } from '../lib/steps.ts';
import type { Clock } from '../lib/time.ts';
import type { Rows } from '../store/hits.ts';
import type { Db } from '../store/statements.ts';

/** What is to be brought in. Its texts go by their places in the list, and as terms once they have some. */
export type Brought = {
  /** The day that was open when it was read. */
  today: number;
  texts: readonly string[];
  /** How many days that are over. */
  past: number;
  days(terms: Int32Array): Iterable<Sealed>;
  /** What is of today, if anything. */
  open?(terms: Int32Array): Rows | undefined;
};

/** What a file brings, and what is to be said of it. */
export type Content = { days: number[]; what: string; lines: string[]; brought: Brought; close(): void };

export type Pace = {
  replace: boolean;
  /** Says how much time is left to others. */
  pace?: Pick<Clock, 'tick'>;
  /** Another day is written. */
  written?: () => void;
};

/** Brings it in, all of it or nothing; gives the number of the import. */
export async function bring(
  db: Db,
  siteId: number,
  { today, texts, past, days, open }: Brought,
  { replace, pace = clock, written = () => {} }: Pace,
): Promise<number> {
  const importId = addImport(db, siteId, { now: now(), today });
  try {
    const terms = await politely(termsFor(db, siteId, texts), pace);
    function* counted() {
      for (const day of days(terms)) {
        yield day;
        written();
      }
    }
    await politely(stage(db, siteId, counted(), { importId, now: now() }), pace);
    const rows = open?.(terms);
    if (rows) await politely(stageOpen(db, importId, today, rows), pace);
    showImport(db, { siteId, importId, sealed: past, now: now() }, replace);
  } catch (error) {
    abandonImport(db, importId);
    throw error;
  } finally {
    await politely(addUpMonths(db, today), pace);
    await politely(sweep(db, now()), pace);
    db.emptyWal();
  }
  return importId;
}
