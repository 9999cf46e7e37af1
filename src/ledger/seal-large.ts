import type { Db } from '../store/statements.ts';
import { free } from './bytes.ts';
import { startsOf } from './day.ts';
import { sortByTime } from './fold.ts';
import { beginLarge, takeIn, viewsOf } from './large-day.ts';
import { beginOpen, nextPart, readOn, type Source } from './open-days.ts';
import type { Part } from './part.ts';
import { type Chosen, pick } from './pick.ts';
import { withTotals } from './scan.ts';
import { type Sealed, sealed } from './seal.ts';
import type { SiteDay } from './sealed-days.ts';

/** Visitors, by their first visits and how many they have. The visits of one follow each other. */
type Visitors = Chosen & { visits: Uint8Array };

/** All visitors, with the moments by which they are put into order. */
function visitorsIn(parts: readonly Part[]): Visitors & { start: Int32Array; arrived: Uint32Array } {
  const count = parts.reduce((sum, { totals }) => sum + totals.visitors, 0);
  const [visit, start, arrived] = [new Uint32Array(count), new Int32Array(count), new Uint32Array(count)];
  const all = { part: new Uint16Array(count), visit, visits: new Uint8Array(count), start, arrived };
  let visitor = -1;
  for (const [i, part] of parts.entries()) {
    const again = part.column('again').codes;
    const starts = startsOf(part);
    const second = part.column('second').codes;
    const arrival = part.column('arrival').codes;
    for (let visit = 0; visit < again.length; visit++) {
      if (again[visit] === 0) {
        visitor++;
        all.part[visitor] = i;
        all.visit[visitor] = visit;
        all.start[visitor] = second[starts[visit] as number] as number;
        all.arrived[visitor] = arrival[visit] as number;
      }
      all.visits[visitor] = (all.visits[visitor] as number) + 1;
    }
  }
  return all;
}

/** All visitors in the order in which they came. Ten million take 70 MB, and 190 MB meanwhile. */
function inOrder(parts: readonly Part[]): Visitors {
  const { start, arrived, part, visit, visits } = visitorsIn(parts);
  const arrivals = byArrival(arrived);
  free(arrived);
  const order = sortByTime(arrivals, start);
  free(start);
  return {
    part: part.map((_, i) => part[order[i] as number] as number),
    visits: visits.map((_, i) => visits[order[i] as number] as number),
    visit: order.map((one) => visit[one] as number),
  };
}

/** The indexes of numbers that are all different, in the order of the numbers. */
function byArrival(arrived: Uint32Array): Uint32Array {
  const largest = arrived.reduce((most, one) => Math.max(most, one), 0);
  const order = new Uint32Array(largest + 1);
  for (let i = 0; i < arrived.length; i++) order[arrived[i] as number] = i + 1;
  let count = 0;
  for (let i = 0; i <= largest; i++) if (order[i] !== 0) order[count++] = (order[i] as number) - 1;
  return order.subarray(0, count);
}

/** All visits of the visitors `from` to before `to`. */
function visitsOf({ part, visit, visits }: Visitors, from: number, to: number): Chosen {
  const count = visits.subarray(from, to).reduce((sum, some) => sum + some, 0);
  const chosen: Chosen = { part: new Uint16Array(count), visit: new Uint32Array(count) };
  let at = 0;
  for (let visitor = from; visitor < to; visitor++) {
    for (let i = 0; i < (visits[visitor] as number); i++) {
      chosen.part[at] = part[visitor] as number;
      chosen.visit[at++] = (visit[visitor] as number) + i;
    }
  }
  return chosen;
}

/** What a large day is sealed from. */
export type LargeSeal = { ids: string; sources: Source[]; parts: number };

/**
 * Reads an open day that has parts, to be sealed in parts of about so many hits, with the visitors in the same order as in a day
 * that is sealed from rows. The codes of visitors stay behind.
 */
export function beginSeal(
  db: Db,
  siteDay: SiteDay,
  hitsPerPart: number,
): { large: LargeSeal; next: (part: number) => Sealed } | undefined {
  return db.read(() => {
    const { parts: open, open: since } = beginOpen(db, siteDay);
    if (open.length === 0) return undefined;
    const large = beginLarge(db, siteDay.day, open);
    readOn(db, siteDay.day, since);
    takeIn(large, since);
    const { ids } = large;
    const { sources } = since;
    const first = nextPart(sources);
    const views = viewsOf(large);
    const visitors = inOrder(views);
    const hits = views.reduce((sum, { totals: { pageviews, events } }) => sum + pageviews + events, 0);
    const parts = hits === 0 ? 0 : Math.ceil(hits / hitsPerPart);
    const at = (part: number): number => Math.floor((visitors.visit.length * part) / parts);
    const next = (part: number): Sealed => {
      const chosen = visitsOf(visitors, at(part), at(part + 1));
      return sealed(withTotals(pick(siteDay.day, views, chosen)), first + part);
    };
    return { large: { ids, sources, parts }, next };
  });
}
