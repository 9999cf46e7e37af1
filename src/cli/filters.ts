import { Refusal, USAGE } from '../lib/errors.ts';
import { findNearest } from '../lib/nearest.ts';
import { NUMBER_FILTERS, OPERATORS } from '../stats/dimensions.ts';

export const FILTER_HELP = `takes NAME=VALUE or NAME.OPERATOR=VALUE with one of ${OPERATORS.join(', ')}, such as page.like=/wp-*`;

const FILTER = /^(\w+|property:[\w()]+)(?:\.(\w+))?=(.*)$/s;

/** Filters in the form of a request's body. Each filter has its operators, and each operator has its values. */
export type TypedFilters = Record<string, Record<string, (string | number)[]>>;

/** Reads filters such as "country.is=SG" or "property:plan=pro". `flag` is the name of the flag, for error messages. */
export function readTypedFilters(flag: string, typed: readonly string[]): TypedFilters {
  const filters: TypedFilters = {};
  for (const one of typed) {
    const [, name = '', operator = 'is', value = ''] = FILTER.exec(one) ?? [];
    if (name === '') throw new Refusal(`--${flag} ${FILTER_HELP}, not "${one}"`, USAGE);
    if (!(OPERATORS as readonly string[]).includes(operator)) {
      const meant = findNearest(operator, OPERATORS);
      const more = meant === undefined ? '' : `. Did you mean ${name}.${meant}?`;
      throw new Refusal(`--${flag} ${FILTER_HELP}, not "${one}"${more}`, USAGE);
    }
    const own = filters[name] ?? {};
    const isNumber = (NUMBER_FILTERS as readonly string[]).includes(name);
    filters[name] = { ...own, [operator]: [...(own[operator] ?? []), isNumber ? Number(value) : value] };
  }
  return filters;
}
