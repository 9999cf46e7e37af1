// Tests hits for groups of filters. A visit counts if it passes at least one group.
//
// Invariant: a hit counts if one group accepts both the hit and its visit. A page filter of one group therefore does
// not limit the hits of visits that another group selects.
//
// Example: one group is "country is DE", and another is "page is /buy". If a visit is from DE, all its hits count. If a
// visit is from FR, only its hits on /buy count. filters.ts makes the groups, and select.ts selects their visits.
import type { Column } from '../column/packing.ts';
import { type Day, findStarts, sharedBuffer } from '../day/day.ts';
import type { Conditions } from './conditions.ts';
import { type HitTest, makeMatches, makeZeros } from './hit-filter.ts';
import { isPossible, pairMatches } from './match.ts';
import { select } from './select.ts';

/**
 * Makes a test for hits. A hit passes if one group accepts both its visit and the hit. The result for the latest day is
 * kept, because a query may test a day several times.
 */
export function narrowByGroups(groups: readonly Conditions[]): HitTest {
  let latest: { day: Day; column: Column } | undefined;
  const read = (day: Day): Column => {
    if (latest?.day !== day) latest = { day, column: { terms: MARKS, codes: markHits(day, groups) } };
    return latest.column;
  };
  return { where: [[read, ({ codes }) => ({ codes, code: 1 })]] };
}

const MARKS = Uint8Array.of(0, 1);

function markHits(day: Day, groups: readonly Conditions[]): Uint8Array {
  const marks = makeZeros(day);
  // All selections share one list of visits, and `select` overwrites this list. But the query that tests these hits may
  // still need its own selection in the list. For this reason, the list is copied first, and restored at the end.
  const visits = sharedBuffer('visits', day.totals.visits);
  const before = visits.slice(0, day.totals.visits);
  for (const group of groups) markHitsOfGroup(marks, day, group);
  visits.set(before);
  return marks;
}

function markHitsOfGroup(marks: Uint8Array, day: Day, group: Conditions): void {
  const { visits, count } = select(day, group);
  const matches = makeMatches(day, group.narrowing);
  if (!isPossible(matches)) return;
  const [first, second] = pairMatches(matches, marks.length);
  const starts = findStarts(day);
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (first.codes[hit] === first.code && second.codes[hit] === second.code) marks[hit] = 1;
    }
  }
}
