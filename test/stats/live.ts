import { ranked } from './arithmetic.ts';
import { dayOf, moment, SECONDS } from './days.ts';
import { asideNotices, together } from './notices.ts';
import {
  type Counted,
  countedIn,
  distinct,
  eventsIn,
  type Filters,
  pageviewsIn,
  type Site,
  selected,
  takenIn,
} from './visits.ts';

const MINUTES = 30;

const at = ({ day, second }: { day: number; second: number }): number => day * SECONDS + second;

/** The ten values that most visitors had. */
function rowsOf(counted: readonly Counted[], textOf: (one: Counted) => string) {
  const pairs = new Map(counted.map((one) => [JSON.stringify([textOf(one), one.visitor]), textOf(one)]));
  return ranked(pairs.values())
    .slice(0, 10)
    .map(([value, visitors]) => ({ value, visitors }));
}

/** What was seen in the last 30 minutes of the clock, of which the last is running. */
export function liveOf(site: Site, filters: Filters, now: number): object {
  const from = (Math.floor(now / 60) - MINUTES + 1) * 60;
  const isLate = (hit: { day: number; second: number }): boolean => at(hit) >= from && at(hit) <= now;
  // Wherever they live: their days may have begun much earlier, or be ahead.
  const [first, last] = [dayOf(from) - 3, dayOf(now) + 3];
  const counted = countedIn(selected(site, filters, [first, last]), filters).filter(({ hit }) => isLate(hit));
  const excluded = takenIn(site, first, last).filter(({ visit }) => visit.hits.some(isLate));
  return {
    from: moment(from),
    to: moment(now),
    ...together(asideNotices(excluded)),
    visitors: distinct(counted.filter(({ hit }) => at(hit) >= now - 300)),
    minutes: Array.from({ length: MINUTES }, (_, i) => {
      const begin = from + 60 * i;
      const own = counted.filter(({ hit }) => at(hit) >= begin && at(hit) < begin + 60);
      return { at: moment(begin), visitors: distinct(own), pageviews: pageviewsIn(own).length };
    }),
    pages: rowsOf(pageviewsIn(counted), ({ hit }) => hit.page),
    referrers: rowsOf(counted, ({ visit }) => visit.hits[0].source),
    countries: rowsOf(counted, ({ visit }) => visit.hits[0].country),
    events: rowsOf(eventsIn(counted), ({ hit }) => hit.event),
  };
}
