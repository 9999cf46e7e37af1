// Writes the paragraph of a traffic alert about visits that look alike. The paragraph says what these visits have in
// common, so that people can exclude them.
//
// No visit is excluded automatically, because figures cannot tell bots from people. Example: "Many visits look alike:
// 240 of 300 on this day have the source Direct and the country XX in common". traffic.ts puts the paragraph into the
// alert.

import { DAY, formatDay } from '../lib/time.ts';
import { DIMENSIONS } from '../stats/dimensions.ts';
import type { Suggestion } from '../stats/suggestion.ts';
import type { TEXT_ATTRIBUTES } from '../stats/visit-table.ts';
import { shown } from './figures.ts';
import type { Block } from './letter.ts';
import { PROPERTIES } from './properties.ts';
import type { MailMessage, Voice } from './voice.ts';

const MOST_NAMED = 3;

type Property = (typeof TEXT_ATTRIBUTES)[number];

/** The properties of similar visits, in the order in which a sentence names them. */
const NAMED: readonly Property[] = ['source', 'country', 'device', 'browser', 'os', 'entry'];

/**
 * Writes about the largest group of similar visits, such as 240 visits from one country. Returns an empty list if there
 * is no group.
 */
export function suggested(domain: string, [most, ...others]: readonly Suggestion[], voice: Voice): Block[] {
  if (!most) return [];
  const { t, number, decimal } = voice;
  const { totals, visits, now, usual, day } = most;
  const properties = inCommon(most, voice);
  const alike = t(sentenceFor(totals.pageviews === totals.visits, properties !== ''), {
    now: number(now),
    visits: number(visits),
    usual: number(Math.round(usual)),
    pages: decimal(totals.pageviews / totals.visits),
    properties,
  });
  const more = others.length === 0 ? [] : [t('Smaller groups of similar visits: {groups}.', { groups: others.length })];
  return [
    { kind: 'words', words: [alike, ...more].join(' ') },
    {
      kind: 'words',
      words: t(
        'Nothing is excluded automatically, because these visits may come from people. Managers can exclude them, and undo this at any time. To see the filters, run "daybook suggestions {domain} --date {date}".',
        { domain, date: formatDay(day * DAY) },
      ),
    },
  ];
}

function valuesIn(name: Property, values: readonly (string | number)[], { t, plural }: Voice): string {
  const dimension = DIMENSIONS[name];
  const empty = 'emptyValue' in dimension ? t(dimension.emptyValue) : '/';
  const named = values.slice(0, MOST_NAMED).map((value) => shown(String(value)) || empty);
  const others = values.length - named.length;
  const all = others > 0 ? [...named, plural(others, '{count} other', '{count} others')] : named;
  return all.reduce((some, other) => t('{some} or {other}', { some, other }));
}

/** Writes what all visits of the group have in common, such as "the source Direct and the country XX". */
const inCommon = ({ values }: Suggestion, voice: Voice): string =>
  voice.list(
    NAMED.flatMap((name) => {
      const own = values[name];
      return own ? [voice.t(PROPERTIES[name], { values: valuesIn(name, own, voice) })] : [];
    }),
  );

/**
 * Chooses the sentence about similar visits. The choice depends on whether each visit has only one page, and whether
 * the visits have properties in common.
 */
function sentenceFor(isOnePage: boolean, hasProperties: boolean): MailMessage {
  if (isOnePage) {
    return hasProperties
      ? 'Many visits look alike: {now} of {visits} on this day viewed only one page, and have {properties} in common (usually {usual}).'
      : 'Many visits look alike: {now} of {visits} on this day viewed only one page (usually {usual}).';
  }
  return hasProperties
    ? 'Many visits look alike: {now} of {visits} on this day have {properties} in common (usually {usual}). Pages per visit: {pages}.'
    : 'Many visits look alike: {now} of {visits} on this day (usually {usual}). Pages per visit: {pages}.';
}
