import { OTHER } from '../../stats/dimensions.ts';
import { noTotals } from '../../stats/measured.ts';
import { draftsFor } from '../../stats/suggest.ts';
import type { Suggestion, SuggestQuestion } from '../../stats/suggestion.ts';
import { type Attribute, countOf, type DayVisits, type Visits, visitsBy } from '../../stats/visit-table.ts';
import { reducerOf } from '../count/exclude.ts';
import { allPageviews } from '../count/per-visit.ts';
import { QUARTERS } from '../count/quarter-hours.ts';
import { type Day, startsOf } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';
import type { DayReader } from './day-reader.ts';
import { previewOf } from './exclusion-preview.ts';

const ONE_PAGE = 1;

/** So many visits of all days together are looked at: some tenths of a second. Of more, each so-and-so many-th. */
const MOST_VISITS = 200_000;

/** Whether visits began before a second that is the beginning of a quarter. */
function beganBefore(day: Day, until: number): (visit: number) => boolean {
  if (until === Number.POSITIVE_INFINITY) return () => true;
  const { codes: quarters } = day.quarters?.() ?? {};
  const isQuick = quarters !== undefined && quarters.length > 0;
  const moments = isQuick ? quarters : day.column('second').codes;
  const end = isQuick ? (until - QUARTERS.from) / QUARTERS.unit : until;
  const starts = startsOf(day);
  return (visit) => (moments[starts[visit] as number] as number) < end;
}

/** One of so many visits of a day, without what is set aside. Columns of a large day do not outlive their part, and are copied. */
function visitsOf(day: Day, until: number, oneOf: number): Visits {
  const isIn = beganBefore(day, until);
  const rows: number[] = [];
  for (let visit = 0; visit < day.totals.visits; visit += oneOf) if (isIn(visit)) rows.push(visit);
  const pageviews = allPageviews(day);
  return visitsBy((name) => {
    if (name === 'pageviews')
      return { terms: [0, ONE_PAGE], codes: Uint8Array.from(rows, (row) => Number(pageviews[row] === 1)) };
    const { terms, codes } = day.column(name);
    return { terms: terms.slice(), codes: Uint32Array.from(rows, (row) => codes[row] as number) };
  });
}

/** The day, and the same weekday before it since the site has been there, of which hits are kept. */
function comparable(days: DayReader, { siteId, range: { from }, untils }: SuggestQuestion) {
  const all = untils.map((until, week) => ({ day: from - week * 7, until }));
  const earliest = from - untils.length * 7;
  const first = Math.min(...days.visited(siteId, earliest, from));
  const sums = new Set(days.sumDays(siteId, earliest, from));
  return all.filter(({ day }) => day === from || (day >= first && !sums.has(day)));
}

/** What a filter names a value, if it may. */
function namedBy({ textOf }: Texts, attribute: Attribute, term: number): string | number | undefined {
  if (attribute === 'pageviews') return term === ONE_PAGE ? term : undefined;
  const text = textOf(term);
  return text !== OTHER && (attribute !== 'entry' || text.startsWith('/')) ? text : undefined;
}

/** What might be set aside of a day that stands out. */
export function suggest(days: DayReader, texts: Texts, question: SuggestQuestion): Suggestion[] {
  const { siteId, range } = question;
  const reducer = reducerOf(days.exclusions(siteId), texts);
  const asked = comparable(days, question);
  const read = (day: number): Iterable<Day> => days.days(siteId, day, day + 1);
  const all = asked.flatMap(({ day }) => [...read(day)].map(({ totals }) => totals.visits));
  const oneOf = Math.ceil(all.reduce((sum, visits) => sum + visits, 1) / MOST_VISITS);
  const [now = [], ...before] = asked.map(({ day, until }): DayVisits => {
    const parts: Visits[] = [];
    for (const part of read(day)) parts.push(visitsOf(reducer.of(part).day, until, oneOf));
    return parts;
  });
  const visits = countOf(now) * oneOf;
  const drafts = draftsFor(now, before, {
    times: oneOf,
    mayBe: (attribute, term) => namedBy(texts, attribute, term) !== undefined,
  });
  return drafts.map(({ values, compared: { now, usual } }) => {
    const named = Object.entries(values).map(
      ([name, terms]) => [name, terms.flatMap((term) => namedBy(texts, name as Attribute, term) ?? [])] as const,
    );
    const filters = Object.fromEntries(named.map(([name, is]) => [name, { is }]));
    const [taken] = previewOf(days, texts, { siteId, range, filters }).days;
    const totals = taken?.totals ?? noTotals();
    return { day: range.from, values: Object.fromEntries(named), visits, now, usual, totals };
  });
}
