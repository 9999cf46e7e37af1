import fc from 'fast-check';
import { maybe } from './asked.ts';
import type { Query } from './visits.ts';

const among = fc.constantFrom<string[]>;

/** Goals are called by their place. `like` a hit, a journey begins at its page. */
const start = fc.oneof(
  fc.constant({}),
  fc.record({ from: among('entry') }),
  fc.record({
    from: among('/', '/a', '/b', '/A', '/never', '/a*', '*b', '/*/*', '*', '/never*', 'goal:0', 'goal:1', 'goal:2'),
    direction: among('after', 'before'),
  }),
);

export const journeys: fc.Arbitrary<Query>[] = [
  start,
  maybe('steps', among('1', '2', '4', '5')),
  maybe('limit', among('1', '2', '3', '20')),
];

/** A journey from a goal begins at the entry where there are no goals. */
export function withStart({ from, ...query }: Query, goals: readonly { id: number }[]): Query {
  const [, place] = /^goal:(\d+)$/.exec(String(from)) ?? [];
  if (from === undefined || place === undefined) return from === undefined ? query : { from, ...query };
  const goal = goals[Number(place) % goals.length];
  if (goal) return { from: `goal:${goal.id}`, ...query };
  const { direction: _, ...rest } = query;
  return { from: 'entry', ...rest };
}
