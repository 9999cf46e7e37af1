import type { Bots, Crawler } from '../../api/stats.ts';
import type { Cell } from '../../lib/csv.ts';
import { number } from '../format.ts';
import type { Line } from './rows.tsx';
import { PURPOSES, purposeOf } from './words.ts';

export const GROUPS = [
  { id: 'crawler', label: 'Crawler' },
  { id: 'operator', label: 'Operator' },
  { id: 'purpose', label: 'Purpose' },
] as const;

/** The requests of those that have a word in common, most first. */
function grouped(crawlers: readonly Crawler[], by: 'operator' | 'purpose'): { name: string; requests: number }[] {
  const sums = new Map<string, number>();
  for (const crawler of crawlers) sums.set(crawler[by], (sums.get(crawler[by]) ?? 0) + crawler.requests);
  return [...sums].map(([name, requests]) => ({ name, requests })).sort((a, b) => b.requests - a.requests);
}

/** 120 requests: 80 to train models, 40 for a search index. */
export function summary({ total, crawlers }: Bots): string {
  const parts = grouped(crawlers, 'purpose').map(
    ({ name, requests }) => `${number(requests)} ${PURPOSES[name]?.why ?? name}`,
  );
  return `${number(total)} ${total === 1 ? 'request' : 'requests'}: ${parts.join(', ')}.`;
}

export function crawlerLines(
  { crawlers }: Bots,
  group: string,
  chosen: string,
  choose: (crawler: string) => void,
): Line[] {
  if (group === 'operator' || group === 'purpose') {
    return grouped(crawlers, group).map(({ name, requests }) => ({
      key: name,
      text: group === 'purpose' ? purposeOf(name) : name,
      count: requests,
    }));
  }
  return crawlers.map(({ crawler, name, operator, purpose, requests }) => ({
    key: crawler,
    text: name,
    note: `${operator}, ${purposeOf(purpose).toLowerCase()}`,
    count: requests,
    isOn: crawler === chosen,
    choose: () => choose(crawler === chosen ? '' : crawler),
  }));
}

export const crawlerRows = ({ crawlers }: Bots): Cell[][] => [
  ['Crawler', 'Operator', 'Purpose', 'Requests'],
  ...crawlers.map(({ name, operator, purpose, requests }) => [name, operator, purposeOf(purpose), requests]),
];
