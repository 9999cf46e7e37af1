import { findChannel } from '../../src/classify/channel.ts';
import type { Hit } from '../collect/stage.ts';
import { patternsOf, withGoal } from './asked.ts';
import type { Question } from './naive.ts';
import { withStart } from './random-journeys.ts';

/**
 * A question that cannot be asked yet: goals and funnels are called by their place in the list, because ids are given later,
 * and where it is `like` a hit, its filters ask for what that hit says, so that several at once find something.
 */
export type Draft = Question & { like: number | null };

type Known = { hits: readonly Hit[]; goals: readonly { id: number }[]; funnels: readonly { id: number }[] };

const HIT_FIELDS: Record<string, keyof Hit> = { entry: 'page', exit: 'page' };

/** What a filter asks for; nothing where there is no such thing, such as the event of a pageview. */
function wanted(name: string, operator: string, typed: string, { hits, goals }: Known, like: number | null) {
  if (name === 'goal') return goals[Number(typed) % goals.length]?.id.toString();
  if (name === 'pageviews') return typed;
  const hit = like === null ? undefined : hits[like % hits.length];
  if (!hit) return typed;
  if (name === 'channel') return findChannel(hit);
  const said = String(hit[HIT_FIELDS[name] ?? (name as 'page')]);
  if (operator.endsWith('like')) return patternsOf(said)[typed.length % 8];
  if (name === 'event') return said || undefined;
  return said === '(other)' ? typed : said;
}

/** Makes it a question about a site; a filter by goal goes where there are none. */
export function finished({ path, query, like }: Draft, known: Known): Question {
  const { funnels } = known;
  const entries = Object.entries(query).flatMap(([parameter, typed]): [string, string | string[]][] => {
    const [, name, operator = ''] = /^filters\[(\w+)\](?:\[(\w+)\])?$/.exec(parameter) ?? [];
    if (name === undefined) return [[parameter, typed]];
    const values = [typed].flat().flatMap((one) => wanted(name, operator, one, known, like) ?? []);
    const [first] = values;
    if (first === undefined) return [];
    return [[parameter, operator === '' ? first : values]];
  });
  return {
    path: path.replace(/\d$/, (place) => String(funnels[Number(place) % funnels.length]?.id)),
    query: withStart(withGoal(Object.fromEntries(entries), known.goals), known.goals),
  };
}
