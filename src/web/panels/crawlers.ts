import type { Bots, Crawler } from '../../api/answers.ts';
import type { Cell } from '../../lib/csv.ts';
import { counted, number } from '../format.ts';
import type { Line } from './rows.tsx';

export const GROUPS = [
  { id: 'crawler', label: 'Crawler' },
  { id: 'operator', label: 'Operator' },
  { id: 'purpose', label: 'Purpose' },
] as const;

/** What an AI crawler reads pages for: its name in a list, and as a part of the sentence above the list. */
const PURPOSES: Record<string, { name: string; phrase: string }> = {
  training: { name: 'Training', phrase: 'to train models' },
  search: { name: 'Search', phrase: 'for a search index' },
  user: { name: 'For a person', phrase: 'because a person asked' },
  other: { name: 'Other', phrase: 'for something else' },
};
const purposeName = (purpose: string): string => PURPOSES[purpose]?.name ?? purpose;

/** The requests of each operator or for each purpose, most first. */
function grouped(crawlers: readonly Crawler[], by: 'operator' | 'purpose'): { name: string; requests: number }[] {
  const sums = new Map<string, number>();
  for (const crawler of crawlers) sums.set(crawler[by], (sums.get(crawler[by]) ?? 0) + crawler.requests);
  return [...sums].map(([name, requests]) => ({ name, requests })).sort((a, b) => b.requests - a.requests);
}

/** 120 requests: 80 to train models, 40 for a search index. */
export function summary({ total, crawlers }: Bots): string {
  const parts = grouped(crawlers, 'purpose').map(
    ({ name, requests }) => `${number(requests)} ${PURPOSES[name]?.phrase ?? name}`,
  );
  return `${counted(total, 'request')}: ${parts.join(', ')}.`;
}

/** Only the group of crawlers has lines to select: it narrows the list of pages to those of one crawler. */
export function crawlerLines(
  { crawlers }: Bots,
  group: string,
  selected: string,
  select: (crawler: string) => void,
): Line[] {
  if (group === 'operator' || group === 'purpose') {
    return grouped(crawlers, group).map(({ name, requests }) => ({
      key: name,
      text: group === 'purpose' ? purposeName(name) : name,
      count: requests,
    }));
  }
  return crawlers.map(({ crawler, name, operator, purpose, requests }) => ({
    key: crawler,
    text: name,
    note: `${operator}, ${purposeName(purpose).toLowerCase()}`,
    count: requests,
    isSelected: crawler === selected,
    onSelect: () => select(crawler === selected ? '' : crawler),
  }));
}

export const crawlerRows = ({ crawlers }: Bots): Cell[][] => [
  ['Crawler', 'Operator', 'Purpose', 'Requests'],
  ...crawlers.map(({ name, operator, purpose, requests }) => [name, operator, purposeName(purpose), requests]),
];
