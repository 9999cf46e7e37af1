// Makes the lines of the panel of AI crawlers: by crawler, by operator or by purpose. AI crawlers request pages to
// train models, for a search index, or on behalf of a user. Only a crawler can be selected. Then the list of pages has
// only pages that this crawler requested.
//
// Example: the sentence above the list is "120 requests. By purpose: Training 80, Search index 40."
//
// crawlers.tsx shows the panel.

import type { Bots, Crawler } from '../../../api/answers.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import type { Cell } from '../../../lib/csv.ts';
import { number } from '../../core/format.ts';
import { plural, t } from '../../core/texts.ts';
import type { Line } from './rows.tsx';

export const GROUPS = [
  { id: 'crawler', label: 'Crawler' },
  { id: 'operator', label: 'Operator' },
  { id: 'purpose', label: 'Purpose' },
] as const;

/** The purposes of AI crawlers. `note` stands after the name of a crawler. All other places use `name`. */
const PURPOSES: Record<string, Record<'name' | 'note', DashboardMessage>> = {
  training: { name: 'Training', note: 'training' },
  search: { name: 'Search index', note: 'search' },
  user: { name: 'User request', note: 'user request' },
  other: { name: 'Other', note: 'other' },
};
/** Writes a text such as "120 requests. By purpose: Training 80, Search index 40." */
export function summary({ total, crawlers }: Bots): string {
  const parts = grouped(crawlers, 'purpose').map(({ name, requests }) => {
    const known = PURPOSES[name];
    return `${known ? t(known.name) : name} ${number(requests)}`;
  });
  return plural(total, '{count} request. By purpose: {purposes}.', '{count} requests. By purpose: {purposes}.', {
    purposes: parts.join(', '),
  });
}

/**
 * Makes a line for each crawler, operator or purpose. Only lines for crawlers can be selected. If a crawler is
 * selected, the list of pages has only the pages of this crawler.
 */
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
    note: `${operator}, ${purposeName(purpose, 'note')}`,
    count: requests,
    isSelected: crawler === selected,
    onSelect: () => select(crawler === selected ? '' : crawler),
  }));
}

const purposeName = (purpose: string, as: 'name' | 'note' = 'name'): string => {
  const known = PURPOSES[purpose];
  return known ? t(known[as]) : purpose;
};

/** Adds up the requests of each operator or purpose. The largest sum comes first. */
function grouped(crawlers: readonly Crawler[], by: 'operator' | 'purpose'): { name: string; requests: number }[] {
  const sums = new Map<string, number>();
  for (const crawler of crawlers) sums.set(crawler[by], (sums.get(crawler[by]) ?? 0) + crawler.requests);
  return [...sums].map(([name, requests]) => ({ name, requests })).sort((a, b) => b.requests - a.requests);
}

export const crawlerRows = ({ crawlers }: Bots): Cell[][] => [
  ['Crawler', 'Operator', 'Purpose', 'Requests'],
  ...crawlers.map(({ name, operator, purpose, requests }) => [name, operator, purposeName(purpose), requests]),
];
