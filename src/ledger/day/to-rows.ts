// Turns visits of a shard back into rows. These rows can then be sessionized together with new rows.
//
// Invariant: sessionizing these rows alone gives exactly the visits from which the rows were made.
//
// Example: a visit has hits at second 0 and at second 3,000. No visit has a gap above 1,800 s, so a heartbeat must have
// arrived between the two hits. A shard does not store the time of this heartbeat. For this reason, a heartbeat of 0
// seconds is made at second 1,800. open/touched-visits.ts calls this file.
import { VISIT_GAP } from '../../stats/definitions.ts';
import { HIT_TEXT_FIELDS, VISIT_TEXT_FIELDS } from '../../stats/dimensions.ts';
import { findStartsIn, growRows, readValues, readVitals, type Shard, type ShardRows } from './shard.ts';

/**
 * Turns the given visits of `base` back into rows, and adds these rows to `rows`. Each list of `rows`, such as
 * `second`, is filled in a loop of its own. This is several times faster than filling row by row.
 */
export function restoreRows(base: Shard, visits: readonly number[], rows: ShardRows): ShardRows {
  if (visits.length === 0) return rows;
  const { visit, hit, at } = listHitsAndHeartbeats(base, visits);
  const result = growRows(rows, at.length);
  const first = result.count;
  result.count += at.length;
  const fill = (
    list: ShardRows['second' | 'visitor' | 'scroll'],
    of: readonly number[],
    value: (row: number) => number,
  ) => {
    for (let i = 0; i < of.length; i++) if ((hit[i] as number) >= 0) list[first + i] = value(of[i] as number);
  };
  const codes = base.codes();
  const arrival = readValues(base, 'arrival');
  for (let i = 0; i < at.length; i++) {
    result.second[first + i] = at[i] as number;
    result.visitor[first + i] = codes[visit[i] as number] as number;
    result.arrival[first + i] = arrival(visit[i] as number);
  }
  fill(result.engaged, hit, () => -1);
  fill(result.seen, hit, readValues(base, 'engaged'));
  fill(result.scroll, hit, readValues(base, 'scroll'));
  const vitals = readVitals(base);
  if (vitals) fill(result.vitals, hit, vitals);
  for (const name of HIT_TEXT_FIELDS) fill(result.terms[name], hit, readValues(base, name));
  for (const name of VISIT_TEXT_FIELDS) fill(result.terms[name], visit, readValues(base, name));
  return result;
}

/**
 * Lists the hits of the given visits, and heartbeats, which have -1 as `hit`. If two hits are more than 30 minutes
 * apart, a heartbeat is made for every 30 minutes between them. Otherwise, sessionizing would make two visits from one
 * visit. If a visit ended after its last hit, another heartbeat marks its end, so that the visit keeps its duration.
 */
function listHitsAndHeartbeats(
  base: Shard,
  visits: readonly number[],
): { visit: number[]; hit: number[]; at: number[] } {
  const starts = findStartsIn(base);
  const [second, seconds] = [readValues(base, 'second'), readValues(base, 'seconds')];
  const found = { visit: [] as number[], hit: [] as number[], at: [] as number[] };
  for (const visit of visits) {
    const [from, to] = [starts(visit), starts(visit + 1)];
    const end = second(from) + seconds(visit);
    const add = (hit: number, at: number): void => {
      found.visit.push(visit);
      found.hit.push(hit);
      found.at.push(at);
    };
    for (let hit = from; hit < to; hit++) {
      const at = second(hit);
      add(hit, at);
      const next = hit + 1 < to ? second(hit + 1) : end;
      for (let alive = at; alive < next; ) {
        alive = Math.min(alive + VISIT_GAP, next);
        if (alive < next || hit + 1 === to) add(-1, alive);
      }
    }
  }
  return found;
}
