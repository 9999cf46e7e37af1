// The counts of an import: how many records were accepted, and how many were skipped for which reason. An operator
// compares them with the file.
//
// Example: 1,000 lines are read. 120 of them are accepted and 880 are skipped. ./import.ts counts each record here.

import { plural } from '../lib/plural.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { TEXT_FIELDS } from '../stats/dimensions.ts';
import type { ParsedHit } from './reading/file-hits.ts';

const EVENT = TEXT_FIELDS.indexOf('event');

type EntryKind = 'pageview' | 'event' | 'engagement message';

export function reconciliation() {
  const accepted: Record<EntryKind, number> = { pageview: 0, event: 0, 'engagement message': 0 };
  const days = new Set<number>();
  const skipped = new Map<string, { count: number; line: number }>();
  const lacking: string[] = [];
  const leftOut: string[] = [];

  return {
    add(hit: ParsedHit): void {
      accepted[findKind(hit)]++;
      if (hit.engaged === undefined) days.add(hit.day);
    },
    skip(reason: string, line: number): void {
      const before = skipped.get(reason);
      if (before) before.count++;
      else skipped.set(reason, { count: 1, line });
    },
    lack: (what: string): void => void lacking.push(what),
    leave: (what: string): void => void leftOut.push(what),
    days: (): number[] => [...days].sort((one, other) => one - other),
    hits: (): number => accepted.pageview + accepted.event,
    lines(): string[] {
      const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0);
      const acceptedSum = sum(Object.values(accepted));
      const skippedSum = sum([...skipped.values()].map(({ count }) => count));
      const kinds = Object.entries(accepted)
        .filter(([, count]) => count > 0)
        .map(([kind, count]) => plural(count, kind))
        .join(', ');
      const dates = this.days().map((day) => formatDay(day * DAY));
      return [
        `${plural(acceptedSum + skippedSum, 'record')} read: ${acceptedSum} accepted, ${skippedSum} skipped`,
        ...(acceptedSum > 0 ? [`accepted: ${kinds}, ${dates[0] ?? ''} to ${dates.at(-1) ?? ''}`] : []),
        ...(lacking.length > 0 ? [`not in the file, so not known: ${lacking.join(', ')}`] : []),
        ...[...skipped].map(([reason, { count, line }]) => `skipped: ${count} (${reason}), first on line ${line}`),
        ...leftOut.map((what) => `skipped: ${what}`),
      ];
    },
  };
}

const findKind = ({ engaged, texts }: ParsedHit): EntryKind => {
  if (engaged !== undefined) return 'engagement message';
  return texts[EVENT] === '' ? 'pageview' : 'event';
};
