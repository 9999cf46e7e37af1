import { type FilterName, VISIT_FILTERS } from '../../stats/dimensions.ts';
import type { Condition, Filters } from '../../stats/question.ts';
import type { Target } from '../../store/sites/goals.ts';

/** Puts a text beside a statement, and gives what stands for it in there. */
export type Bind = (text: string) => string;

/** The texts of a statement, and what binds them. */
export function binder(): { values: Record<string, string>; bind: Bind } {
  const values: Record<string, string> = {};
  const names = new Map<string, string>();
  return {
    values,
    bind(text) {
      const name = names.get(text) ?? `p${names.size}`;
      names.set(text, name);
      values[name] = text;
      return `{${name}:String}`;
    },
  };
}

const all = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '1' : `(${conditions.join(' AND ')})`;
const any = (conditions: readonly string[]): string => (conditions.length === 0 ? '0' : `(${conditions.join(' OR ')})`);

const SYNTAX = /[\\^$.*+?()[\]{}|]/g;
const quoted = (text: string): string => text.replaceAll(SYNTAX, '\\$&');

/** The expression of a pattern in which `*` is any run of characters. It is tried in time that is linear in the text. */
const expressionOf = (pattern: string): string => `(?s)^${pattern.split('*').map(quoted).join('.*')}$`;

const oneOf = (value: string, texts: readonly string[], bind: Bind): string =>
  any(texts.length === 0 ? [] : [`${value} IN (${texts.map(bind).join(', ')})`]);

const likeOne = (value: string, patterns: readonly string[], bind: Bind): string =>
  any(patterns.map((pattern) => `match(${value}, ${bind(expressionOf(pattern))})`));

/** Whether a value is what a condition says. */
function meets(value: string, { is, not, like, unlike }: Condition, bind: Bind): string {
  return all([
    ...(is ? [oneOf(value, is, bind)] : []),
    ...(not ? [`NOT ${oneOf(value, not, bind)}`] : []),
    ...(like ? [likeOne(value, like, bind)] : []),
    ...(unlike ? [`NOT ${likeOne(value, unlike, bind)}`] : []),
  ]);
}

/** Whether a hit with the page `p` and the event `e` reaches a target. */
export const reaches = ({ type, value }: Target, bind: Bind): string =>
  type === 'event'
    ? `(e <> '' AND e = ${bind(value)})`
    : `(e = '' AND ${value.includes('*') ? likeOne('p', [value], bind) : `p = ${bind(value)}`})`;

const someHit = (condition: string): string => `arrayExists((p, e) -> ${condition}, h_page, h_event)`;

function eventConditions({ is, not, like, unlike }: Condition, bind: Bind): string[] {
  const some = (condition: string) => someHit(`(e <> '' AND ${condition})`);
  return [
    ...(is ? [some(oneOf('e', is, bind))] : []),
    ...(like ? [some(likeOne('e', like, bind))] : []),
    ...(not ? [`NOT ${some(oneOf('e', not, bind))}`] : []),
    ...(unlike ? [`NOT ${some(likeOne('e', unlike, bind))}`] : []),
  ];
}

const numbers = (name: string, { is, not }: { is?: readonly number[]; not?: readonly number[] }): string[] => [
  ...(is ? [is.length === 0 ? '0' : `${name} IN (${is.map(Number).join(', ')})`] : []),
  ...(not && not.length > 0 ? [`${name} NOT IN (${not.map(Number).join(', ')})`] : []),
];

/** Whether filters select a visit. */
export function selects({ page, event, goal, pageviews, ...values }: Filters, bind: Bind): string {
  const reachesOne = (targets: readonly Target[]) => someHit(any(targets.map((target) => reaches(target, bind))));
  return all([
    ...VISIT_FILTERS.flatMap((name) => {
      const condition = (values as Partial<Record<FilterName, Condition>>)[name];
      return condition ? [meets(name, condition, bind)] : [];
    }),
    ...(pageviews ? numbers('pageviews', pageviews) : []),
    ...(event ? eventConditions(event, bind) : []),
    ...(goal?.is ? [reachesOne(goal.is)] : []),
    ...(goal?.not ? [`NOT ${reachesOne(goal.not)}`] : []),
    ...(page ? [someHit(meets('p', page, bind))] : []),
  ]);
}

/** Whether a hit of a selected visit counts: a filter by page is about hits too. */
export const counts = ({ page }: Filters, bind: Bind): string => (page ? meets('p', page, bind) : '1');
