// Counts the records of an import: how many were accepted, and how many were skipped for which reason. The operator
// compares these counts with the file.
//
// Example: 1,000 lines are read. 120 of them are accepted and 880 are skipped. ./import.ts counts each record here.

import { type Coded, coded } from '../lang/coded.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { TEXT_FIELDS } from '../stats/dimensions.ts';
import type { ParsedHit } from './reading/file-hits.ts';
import { codePart, codeParts } from './reading/sheet.ts';

const EVENT = TEXT_FIELDS.indexOf('event');

type EntryKind = 'pageview' | 'event' | 'engagement message';

export function reconciliation() {
  const accepted: Record<EntryKind, number> = { pageview: 0, event: 0, 'engagement message': 0 };
  const days = new Set<number>();
  let read = 0;
  const skipped = new Map<string, { count: number; line: number }>();
  const lacking: string[] = [];
  const leftOut: Coded[] = [];

  return {
    add(hit: ParsedHit): void {
      read++;
      accepted[findKind(hit)]++;
      if (hit.engaged === undefined) days.add(hit.day);
    },
    skip(reason: string, line: number): void {
      read++;
      const before = skipped.get(reason);
      if (before) before.count++;
      else skipped.set(reason, { count: 1, line });
    },
    lack: (what: string): void => void lacking.push(what),
    leave: (what: Coded): void => void leftOut.push(what),
    days: (): number[] => [...days].sort((one, other) => one - other),
    dayCount: (): number => days.size,
    records: (): number => read,
    hits: (): number => accepted.pageview + accepted.event,
    sheet(): Coded[] {
      const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0);
      const acceptedSum = sum(Object.values(accepted));
      const skippedSum = sum([...skipped.values()].map(({ count }) => count));
      const kinds = Object.entries(accepted)
        .filter(([, count]) => count > 0)
        .map(([kind, count]) => coded(KINDS[kind as EntryKind], { count }));
      const dates = this.days().map((day) => formatDay(day * DAY));
      const [from, to] = [dates[0] ?? '', dates.at(-1) ?? ''];
      return [
        coded('sheet_read', { records: acceptedSum + skippedSum, accepted: acceptedSum, skipped: skippedSum }),
        ...(acceptedSum > 0 ? [coded('sheet_accepted', { kinds, from, to })] : []),
        ...(lacking.length > 0 ? [coded('sheet_lacking', { names: codeParts(lacking) })] : []),
        ...[...skipped].map(([reason, { count, line }]) =>
          coded('sheet_skipped', { count, reason: [codePart(reason)], line }),
        ),
        ...leftOut.map((what) => coded('sheet_left', { what: [what] })),
      ];
    },
  };
}

const KINDS = { pageview: 'kind_pageviews', event: 'kind_events', 'engagement message': 'kind_messages' } as const;

const findKind = ({ engaged, texts }: ParsedHit): EntryKind => {
  if (engaged !== undefined) return 'engagement message';
  return texts[EVENT] === '' ? 'pageview' : 'event';
};
