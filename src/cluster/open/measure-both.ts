// Answers a query from two places: sealed days from ClickHouse, and open days from their local copy. If there is no
// current copy, ClickHouse answers for open days too.
//
// Invariant: each day is counted in one place. If a copy is deleted while it is read, its answer is not used, and
// ClickHouse answers.
//
// Example: an overview compares today with yesterday. Yesterday is sealed, and ClickHouse reads its rollups. Today is
// counted from the copy. A report of today alone needs only the copy. queries.ts calls this file.
import { Problem, ThreadDied } from '../../lib/errors.ts';
import type { Aggregates } from '../../stats/aggregates.ts';
import { isAboutNow, listRanges, type Query } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';
import { readKnownDays } from '../query/catalog-snapshot.ts';
import { addAggregates, askForAll, canAdd, isTooLong } from './add-aggregates.ts';
import type { FollowedDays } from './followed-days.ts';

type Asking = {
  signal?: AbortSignal | undefined;
  /**
   * The line of waiting queries in which this query waits for ClickHouse (query/query-line.ts). By default, this is the
   * line of its site.
   */
  place?: number;
  /**
   * Uses the copies that exist, but makes no new copies. Otherwise a query about all sites would copy the days of all
   * sites.
   */
  isPassing?: boolean;
};

/** Sends a query to ClickHouse. The rows of an open day count only if the list `open` contains the day. */
export type MeasureWith = (open: readonly number[], query: Query, asking: Asking) => Promise<Aggregates>;

type Deps = {
  db: Db;
  followed: Pick<FollowedDays, 'take' | 'noteCounted' | 'drop'> | undefined;
  measureWith: MeasureWith;
};

export function buildMeasureBoth({ db, followed, measureWith }: Deps) {
  return async function measureBoth(open: readonly number[], query: Query, asking: Asking): Promise<Aggregates> {
    const { signal, isPassing = false } = asking;
    const { siteId } = query;
    const ranges = isAboutNow(query) ? [query.range] : listRanges(query);
    const isAsked = (day: number) => ranges.some(({ from, to }) => day >= from && day < to);
    async function measureThere(): Promise<Aggregates> {
      const answer = await measureWith(open, query, asking);
      followed?.noteCounted(siteId, { open, isAsked });
      return answer;
    }

    const copy = await followed?.take(siteId, { open, isAsked, isPassing });
    if (!copy) return await measureThere();
    const range = { from: Math.min(...ranges.map(({ from }) => from)), to: Math.max(...ranges.map(({ to }) => to)) };
    const rest = open.filter((day) => !copy.days.has(day));
    const others = [...readKnownDays(db, siteId, range).shown.slices.map(({ day }) => day), ...rest];
    const isAlone = !others.some(isAsked);
    if (!isAlone && !canAdd(query)) return await measureThere();
    try {
      const answer = isAlone
        ? await copy.measure(query, signal)
        : await addBoth(query, (own) => [measureWith(rest, own, asking), copy.measure(own, signal)]);
      if (answer && copy.isStill()) return answer;
    } catch (error) {
      // A query that took too long on the copy would take longer on ClickHouse, so its error is final. But if the copy
      // is gone or a thread died, ClickHouse can still answer.
      const isFinal = error instanceof Problem && !(error instanceof ThreadDied) && copy.isStill();
      if (isFinal || signal?.aborted) throw error;
      if (!(error instanceof Problem)) await followed?.drop(error as Error);
    }
    return await measureThere();
  };
}

/** Adds up the answers of ClickHouse and of the copy. Gives undefined if an answer has too many rows to be added up. */
async function addBoth(
  query: Query,
  measure: (query: Query) => Promise<Aggregates>[],
): Promise<Aggregates | undefined> {
  const answers = await Promise.all(measure(askForAll(query)));
  return answers.some(isTooLong) ? undefined : addAggregates(query, answers);
}
