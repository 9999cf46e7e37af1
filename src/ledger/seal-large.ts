import type { Db } from '../store/statements.ts';
import { startsOf } from './day.ts';
import { sortByTime } from './fold.ts';
import { readLarge, viewsOf } from './large-day.ts';
import { nextPart, type Source } from './open-days.ts';
import type { Part } from './part.ts';
import { type Chosen, pick } from './pick.ts';
import { type Sealed, sealed } from './seal.ts';
import type { SiteDay } from './sealed-days.ts';

/** The first visits of all visitors, in the order in which these came. */
function firstVisits(parts: readonly Part[]): Chosen {
  const count = parts.reduce((sum, { totals }) => sum + totals.visitors, 0);
  const firsts: Chosen = { part: new Uint16Array(count), visit: new Uint32Array(count) };
  const start = new Int32Array(count);
  const arrived = new Uint32Array(count);
  let visitor = 0;
  for (const [i, part] of parts.entries()) {
    const again = part.column('again').codes;
    const starts = startsOf(part);
    const second = part.column('second').codes;
    const arrival = part.column('arrival').codes;
    for (let visit = 0; visit < again.length; visit++) {
      if (again[visit] === 1) continue;
      firsts.part[visitor] = i;
      firsts.visit[visitor] = visit;
      start[visitor] = second[starts[visit] as number] as number;
      arrived[visitor++] = arrival[visit] as number;
    }
  }
  const order = sortByTime(byArrival(arrived), start);
  return {
    part: firsts.part.map((_, i) => firsts.part[order[i] as number] as number),
    visit: order.map((one) => firsts.visit[one] as number),
  };
}

/** The indexes of numbers that are all different, in the order of the numbers. */
function byArrival(arrived: Uint32Array): Uint32Array {
  const largest = arrived.reduce((most, one) => Math.max(most, one), 0);
  const visitorAt = new Uint32Array(largest + 1);
  for (let i = 0; i < arrived.length; i++) visitorAt[arrived[i] as number] = i + 1;
  const order = new Uint32Array(arrived.length);
  let count = 0;
  for (const visitor of visitorAt) if (visitor > 0) order[count++] = visitor - 1;
  return order;
}

/** All visits of some visitors, whose first visits are given. */
function visitsOf(parts: readonly Part[], firsts: Chosen): Chosen {
  const agains = parts.map((part) => part.column('again').codes.slice());
  const [part, visit]: [number[], number[]] = [[], []];
  for (let i = 0; i < firsts.visit.length; i++) {
    const own = firsts.part[i] as number;
    let next = firsts.visit[i] as number;
    do {
      part.push(own);
      visit.push(next++);
    } while (agains[own]?.[next] === 1);
  }
  return { part: Uint16Array.from(part), visit: Uint32Array.from(visit) };
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
    const large = readLarge(db, siteDay);
    if (!large) return undefined;
    const { ids, sources } = large;
    const first = nextPart(sources);
    const views = viewsOf(large);
    const firsts = firstVisits(views);
    const hits = views.reduce((sum, { totals: { pageviews, events } }) => sum + pageviews + events, 0);
    const parts = hits === 0 ? 0 : Math.ceil(hits / hitsPerPart);
    const at = (part: number): number => Math.floor((firsts.visit.length * part) / parts);
    const next = (part: number): Sealed => {
      const own: Chosen = {
        part: firsts.part.subarray(at(part), at(part + 1)),
        visit: firsts.visit.subarray(at(part), at(part + 1)),
      };
      return sealed(pick(siteDay.day, views, visitsOf(views, own)), first + part);
    };
    return { large: { ids, sources, parts }, next };
  });
}
