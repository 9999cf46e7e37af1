// An exclusion has conditions on visits, such as "Source is spam.example". This file makes conditions from the lines of
// the exclusion form, and writes conditions as sentences. If lines have equal fields and operators, they are joined by
// "or".
//
// Example: the lines `source is a.example` and `source is b.example` become `{source: {is: ['a.example',
// 'b.example']}}`, and the text "Source is a.example or b.example".
//
// condition-fields.tsx has the form, and exclusions.tsx shows the sentences.

import type { Exclusion } from '../../api/exclusions.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { CONDITIONS, type Condition, type Operator } from '../../stats/dimensions.ts';
import { filterText, filterValueText } from './filter-names.ts';
import { hostIn, pathIn } from './parse-url-input.ts';
import { t } from './texts.ts';
import { type FilterName, isNumber, isTyped } from './view.ts';

type Applied = Exclusion['filters'];

/** A line of the form: a field, how the field is compared, and a value. */
export type Line = { name: FilterName; condition: Condition; value: string };

/** Fields into which people may paste a whole URL. The functions extract the path or the host from the URL. */
const PASTED: Partial<Record<FilterName, (typed: string, parameters: readonly string[]) => string>> = {
  page: pathIn,
  entry: pathIn,
  exit: pathIn,
  source: hostIn,
};

const SENTENCES: Record<Operator, DashboardMessage> = {
  is: '{name} is {values}',
  not: '{name} is not {values}',
  like: '{name} matches {values}',
  unlike: '{name} does not match {values}',
};
const PART_SENTENCES: Record<Operator, DashboardMessage> = {
  ...SENTENCES,
  like: '{name} contains {values}',
  unlike: '{name} does not contain {values}',
};

/** Makes the filters of the API from the lines of the form. `parameters` are the page parameters of the site. */
export function filtersOf(
  lines: readonly Line[],
  parameters: readonly string[] = [],
): Record<string, Record<string, (string | number)[]>> {
  const filters: Record<string, Record<string, (string | number)[]>> = {};
  for (const { name, condition, value } of lines) {
    const operator = CONDITIONS[condition];
    const text = PASTED[name]?.(value, parameters) ?? value.trim();
    const one = isNumber(name) ? Number(text) : isTyped(condition) ? `*${text}*` : text;
    filters[name] = { ...filters[name], [operator]: [...(filters[name]?.[operator] ?? []), one] };
  }
  return filters;
}

const isOperator = (name: string): name is Operator => Object.hasOwn(SENTENCES, name);

/**
 * Writes a condition as a sentence, such as "Source is spam.example or ads.example". A value with stars, such as
 * `*ads*`, is written without stars, in a sentence with "contains".
 */
function sentence(name: FilterName, operator: string, values: readonly (string | number)[]): string {
  const isPart = values.every((value) => /^\*[^*]+\*$/.test(String(value)));
  const texts = values.map((value) => filterValueText(name, isPart ? String(value).slice(1, -1) : String(value)));
  const said = {
    name: filterText(name),
    values: texts.reduce((values, value) => t('{values} or {value}', { values, value })),
  };
  if (!isOperator(operator)) return `${said.name} ${operator} ${said.values}`;
  return t((isPart ? PART_SENTENCES : SENTENCES)[operator], said);
}

export const conditionTexts = (filters: Applied): string[] =>
  Object.entries(filters).flatMap(([name, filter]) =>
    typeof filter === 'object'
      ? Object.entries(filter).map(([operator, values]) => sentence(name as FilterName, operator, values ?? []))
      : [sentence(name as FilterName, 'is', [filter as string | number])],
  );
