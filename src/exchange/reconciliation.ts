import { plural } from '../lib/plural.ts';
import { DAY, dayOf } from '../lib/time.ts';
import { TEXT_FIELDS } from '../stats/dimensions.ts';
import type { ReadHit } from './file-hits.ts';

const EVENT = TEXT_FIELDS.indexOf('event');

type Kind = 'pageview' | 'event' | 'engagement message';

const kindOf = ({ engaged, texts }: ReadHit): Kind => {
  if (engaged !== undefined) return 'engagement message';
  return texts[EVENT] === '' ? 'pageview' : 'event';
};

/** Counts what becomes of each record of a file, so that whoever brings it in can compare that with what it should hold. */
export function reconciliation() {
  const taken = new Map<Kind, number>();
  const days = new Set<number>();
  const left = new Map<string, { count: number; line: number }>();

  return {
    add(hit: ReadHit): void {
      const kind = kindOf(hit);
      taken.set(kind, (taken.get(kind) ?? 0) + 1);
      if (hit.engaged === undefined) days.add(hit.day);
    },
    skip(reason: string, line: number): void {
      const before = left.get(reason);
      if (before) before.count++;
      else left.set(reason, { count: 1, line });
    },
    /** The days that have hits, the earliest first. */
    days: (): number[] => [...days].sort((one, other) => one - other),
    hits: (): number => (taken.get('pageview') ?? 0) + (taken.get('event') ?? 0),
    lines(): string[] {
      const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0);
      const [takenSum, leftSum] = [sum(taken.values()), sum([...left.values()].map(({ count }) => count))];
      const kinds = [...taken].map(([kind, count]) => plural(count, kind)).join(', ');
      const dates = this.days().map((day) => dayOf(day * DAY));
      return [
        `${plural(takenSum + leftSum, 'record')} read: ${takenSum} taken, ${leftSum} left`,
        ...(takenSum > 0 ? [`taken: ${kinds}, ${dates[0] ?? ''} to ${dates.at(-1) ?? ''}`] : []),
        ...[...left].map(([reason, { count, line }]) => `left: ${count} ${reason}, first in line ${line}`),
      ];
    },
  };
}
