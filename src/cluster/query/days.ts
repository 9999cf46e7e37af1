import { makeReceipt } from '../../catalog/receipts.ts';
import { listStates } from '../../catalog/sealed-days.ts';
import type { DayVisits, Visit } from '../../engine/activity.ts';
import type { DayStatus, ExclusionPreview } from '../../engine/engine.ts';
import { DAY } from '../../lib/time.ts';
import { VISIT_TEXT_FIELDS, type VisitTextField } from '../../stats/dimensions.ts';
import type { Measured, Totals } from '../../stats/measured.ts';
import { askForVisitors, type Filters, type Question, type Range } from '../../stats/question.ts';
import type { Db } from '../../store/db.ts';
import { listExclusions } from '../../store/sites/exclusions.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';
import { IS_BOUNCE, takenBy, WHO } from './aggregate.ts';
import { EVER, knownOf } from './catalog-snapshot.ts';
import { listDrops } from './crawls-and-drops.ts';
import { binder, selects } from './filters.ts';
import { openRows, visitsOf } from './visible-rows.ts';
import { FIELDS, type Field, fieldsIn } from './visits.ts';

type Deps = { db: Db; nodes: Nodes };

/** Every visit of some days, with the fields that are needed. */
function everyVisit(db: Db, siteId: number, range: Range, fields: readonly Field[]): string {
  const { shown } = knownOf(db, siteId, range);
  const scanned = shown.parts.filter(({ hasHits }) => hasHits === 1);
  return visitsOf(siteId, [range], { shown, scanned }, fields);
}

/** The days with visits in rows that are not sealed yet. */
async function openDays({ db, nodes }: Deps, siteId: number, range: Range): Promise<number[]> {
  const { shown } = knownOf(db, siteId, range);
  const own = `SELECT DISTINCT day FROM (${openRows(siteId, [range], shown)}) WHERE engaged = 0`;
  return unique((await nodes.ask<{ day: number }>(own)).map(({ day }) => day));
}

const unique = (days: readonly number[]): number[] => [...new Set(days)].sort((one, other) => one - other);

/** The days of a site with hits, and the days with sums only. */
export async function listDays(deps: Deps, siteId: number): Promise<{ hits: number[]; sums: number[] }> {
  const { parts } = knownOf(deps.db, siteId, EVER).shown;
  const daysOf = (kind: number) => parts.filter(({ hasHits }) => hasHits === kind).map(({ day }) => day);
  return { hits: unique([...daysOf(1), ...(await openDays(deps, siteId, EVER))]), sums: unique(daysOf(0)) };
}

/** The days of a range on which somebody came. */
export async function visitedDays(deps: Deps, siteId: number, range: Range): Promise<number[]> {
  const { parts } = knownOf(deps.db, siteId, range).shown;
  const sealed = parts.filter(({ visits }) => visits > 0).map(({ day }) => day);
  return unique([...sealed, ...(await openDays(deps, siteId, range))]);
}

/** Those of the days for which the site already has data. */
export async function listTaken(deps: Deps, siteId: number, days: readonly number[]): Promise<number[]> {
  const range = { from: Math.min(...days), to: Math.max(...days) + 1 };
  const { parts } = knownOf(deps.db, siteId, range).shown;
  const taken = new Set([...parts.map(({ day }) => day), ...(await openDays(deps, siteId, range))]);
  return days.filter((day) => taken.has(day));
}

export type VisitRow = Record<VisitTextField, string> & {
  part: number;
  visitor: number;
  seconds: number;
  h_second: number[];
  h_page: string[];
  h_event: string[];
  h_label: string[];
  h_seen: number[];
  excluded: number;
};

export function visitOf(row: VisitRow, visitor: number): Visit {
  const own = Object.fromEntries(VISIT_TEXT_FIELDS.map((name) => [name, row[name]])) as Record<VisitTextField, string>;
  const hits = row.h_second.map((second, i) => ({
    second,
    page: row.h_page[i] ?? '',
    event: row.h_event[i] ?? '',
    label: row.h_label[i] ?? '',
    engaged: row.h_seen[i] ?? 0,
  }));
  return { ...own, visitor, seconds: row.seconds, hits, excluded: row.excluded === 1 };
}

/** All visits of a site, day by day. */
export async function* visitsIn(deps: Deps, siteId: number): AsyncGenerator<DayVisits> {
  const { db, nodes } = deps;
  for (const day of (await listDays(deps, siteId)).hits) {
    const { values, bind } = binder();
    const taken = listExclusions(db, siteId).map((one) => takenBy(one, bind));
    const named = `SELECT *, ${taken.length === 0 ? '0' : taken.join(' OR ')} AS excluded`;
    const sql = `${named} FROM (${everyVisit(db, siteId, { from: day, to: day + 1 }, FIELDS)})`;
    const shards = await nodes.askShards<VisitRow>(`${sql} ORDER BY part, visitor, start`, values);
    const rows = shards.flatMap((own, shard) =>
      own.map((row) => ({ row, who: `${shard} ${row.part} ${row.visitor}` })),
    );
    const numbers = new Map<string, number>();
    const numberOf = (who: string): number => {
      const number = numbers.get(who) ?? numbers.size + 1;
      numbers.set(who, number);
      return number;
    };
    yield { day, visits: rows.map(({ row, who }) => visitOf(row, numberOf(who))) };
  }
}

type Asking = Deps & { gone?: AbortSignal | undefined };

/** What an exclusion would take of each day, judged on all hits; visitors are those of whom nothing would be left. */
export async function previewOf(
  { db, nodes, gone }: Asking,
  siteId: number,
  range: Range,
  filters: Filters,
): Promise<ExclusionPreview> {
  const { values, bind } = binder();
  const isTaken = selects(filters, bind);
  const byVisitor = `SELECT ${WHO}, countIf(${isTaken}) AS taken, count() AS visits, sumIf(pageviews, ${isTaken}) AS pageviews_taken,
      sumIf(events, ${isTaken}) AS events_taken, countIf(${isTaken} AND ${IS_BOUNCE}) AS bounces_taken, sumIf(seconds, ${isTaken}) AS seconds_taken`;
  const all = everyVisit(db, siteId, range, fieldsIn(`${byVisitor} ${isTaken}`));
  const ofShard = `SELECT day, countIf(taken = visits) AS visitors, sum(taken) AS visits_taken, sum(pageviews_taken) AS pageviews,
      sum(events_taken) AS events, sum(bounces_taken) AS bounces, sum(seconds_taken) AS seconds
    FROM (${byVisitor} FROM (${all}) GROUP BY ${WHO} HAVING taken > 0) GROUP BY day`;
  type Taken = Omit<Totals, 'visits'> & { day: number; visits_taken: number };
  const found = sumRows(await nodes.ask<Taken>(ofShard, values, gone), ['day']);
  const sums = knownOf(db, siteId, range).shown.parts.filter(({ hasHits }) => hasHits === 0);
  return {
    days: found
      .sort((one, other) => one.day - other.day)
      .map(({ day, visits_taken: visits, ...totals }) => ({ day, totals: { ...totals, visits } })),
    untouched: unique(sums.map(({ day }) => day)),
  };
}

type Measure = (question: Question) => Promise<Measured>;

/** What is known of each day of a range with hits or sums. */
export async function receiptsOf(
  deps: Deps,
  measure: Measure,
  siteId: number,
  { from, to }: Range,
): Promise<DayStatus[]> {
  const states = new Map(listStates(deps.db, siteId, from, to).map((row) => [row.day, row]));
  const days = unique([...states.keys(), ...(await openDays(deps, siteId, { from, to }))]);
  return await Promise.all(
    days.map(async (day): Promise<DayStatus> => {
      const range = { from: day, to: day + 1 };
      const [{ totals, aside }, drops] = await Promise.all([
        measure(askForVisitors(siteId, range)),
        listDrops(deps.nodes, siteId, range),
      ]);
      return makeReceipt(day, states.get(day), { totals, aside, drops });
    }),
  );
}

type First = { siteId: number; first: number };

/** The moment of the first hit of each site that has one; of a day with sums only, when its date begins in UTC. */
export async function firstHits({ db, nodes }: Deps, siteIds: readonly number[]): Promise<Map<number, number>> {
  const first = new Map<number, number>();
  const note = (siteId: number, at: number) => first.set(siteId, Math.min(at, first.get(siteId) ?? at));
  const some = (column: string) => `site IN (${siteIds.join(', ') || '0'}) AND ${column}`;
  const open = `SELECT site AS siteId, min(toInt64(day) * ${DAY} + second) AS first FROM activity WHERE ${some('engaged = 0')} GROUP BY siteId`;
  const parts = siteIds.flatMap((siteId) => {
    const [one] = knownOf(db, siteId, EVER).shown.parts;
    return one ? [{ siteId, ...one }] : [];
  });
  const firstParts = parts.map(({ id }) => id).join(', ') || '0';
  const sealed = `SELECT site AS siteId, min(toInt64(day) * ${DAY} + start) AS first FROM visit WHERE ${some(`part IN (${firstParts})`)} GROUP BY siteId`;
  const found = await nodes.ask<First>(`${open} UNION ALL ${sealed}`);
  for (const { siteId, day, hasHits } of parts) if (hasHits === 0) note(siteId, day * DAY);
  for (const { siteId, first: at } of found) note(siteId, at);
  return first;
}
