import { plural } from '../lib/plural.ts';
import { DAY, dayOf } from '../lib/time.ts';
import { DIMENSIONS } from '../stats/dimensions.ts';
import type { Suggestion } from '../stats/suggestion.ts';
import { TEXT_ATTRIBUTES } from '../stats/visit-table.ts';
import { decimal, number, shown } from './figures.ts';
import type { Block } from './letter.ts';

const MOST_NAMED = 3;

function valuesIn(name: (typeof TEXT_ATTRIBUTES)[number], values: readonly (string | number)[]): string {
  const { name: attribute, emptyValue } = DIMENSIONS[name] as { name: string; emptyValue?: string };
  const named = values.slice(0, MOST_NAMED).map((value) => shown(String(value)) || (emptyValue ?? '/'));
  const others = values.length - named.length;
  const all = others > 0 ? [...named, plural(others, 'other')] : named;
  return `${attribute.toLowerCase()} ${all.join(' or ')}`;
}

/** Such as "country XX, source Direct"; of the pages the mail tells anyway. */
const inCommon = ({ values }: Suggestion): string =>
  TEXT_ATTRIBUTES.flatMap((name) => (values[name] ? [valuesIn(name, values[name])] : [])).join(', ');

/** What might be set aside, most of it first; nothing where nothing stands out. */
export function suggested(domain: string, [most, ...others]: readonly Suggestion[]): Block[] {
  if (!most) return [];
  const { totals, visits, now, usual, day } = most;
  const pages = totals.pageviews === totals.visits ? 'one page' : `${decimal(totals.pageviews / totals.visits)} pages`;
  const common = inCommon(most);
  const alike = common === '' ? '' : `${common}, and `;
  const more = others.length === 0 ? '' : ` Smaller groups that stand out: ${others.length}.`;
  return [
    {
      kind: 'words',
      words: `Most of it is alike: ${number(now)} of the ${plural(visits, 'visit', number)} of the day, with ${alike}${pages} each. Usually there are ${number(Math.round(usual))} of them.${more}`,
    },
    {
      kind: 'words',
      words: `Figures cannot tell whether these are people, so that nothing is set aside by itself. Whoever manages the site can do that, and undo it: "daybook suggestions ${domain} --date ${dayOf(day * DAY)}" names the filters.`,
    },
  ];
}
