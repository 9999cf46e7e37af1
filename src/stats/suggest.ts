// Suggests exclusions for a day with far more visits than usual. Such visits often come from bots. The surplus is the
// number of visits above the usual number for the weekday: the extra visits. A rule has up to three conditions, such as
// "country XX and browser Opera".
//
// Invariant: a good rule selects most of the extra visits, but hardly any usual visits.
//
// Example: a day has 1,000 visits, and 200 are usual. A rule may explain (select) 780 of the 800 extra visits. The
// search tries values of each attribute, such as the country. The search keeps the best rules, and adds one more
// condition to them. Both engines call `suggestFrom` in query/exclusion-suggestions.ts. Test:
// test/stats/suggest.test.ts.
import { OTHER } from './dimensions.ts';
import type { Suggestion } from './suggestion.ts';
import { type Compared, compared, isAbove, isFarAbove, LEAST_WEEKS } from './unusual.ts';
import {
  ATTRIBUTES,
  type Attribute,
  chooseRows,
  countByWeek,
  countCodes,
  countVisits,
  type DayVisits,
  makeTable,
  ONE_PAGE,
  type Table,
  type VisitTableOptions,
} from './visit-table.ts';

export type Draft = { values: Partial<Record<Attribute, number[]>>; compared: Compared };

const MOST_ATTRIBUTES = 3;
/** The most values of an attribute in a suggestion. A filter allows no more values. */
const MOST_VALUES = 20;
/**
 * The most suggestions for one day. There may be several, because extra visits may have several causes. After each
 * suggestion, the search continues with the remaining visits.
 */
const MOST_DRAFTS = 3;
/** The number of rules that the search keeps in each step. In the next step, it adds a condition to each of them. */
const WIDTH = 8;
/**
 * The search tries conditions with one value, such as "country XX". For each attribute, it tries the 4 values with the
 * most extra visits.
 */
const MOST_SINGLE = 4;
/**
 * A suggestion must explain at least this share of the visits of a usual day. With fewer visits, an exclusion is not
 * worth the trouble.
 */
const LEAST_OF_DAY = 0.1;
/**
 * A suggestion must also explain at least this share of the extra visits that earlier suggestions have not explained.
 */
const LEAST_EXPLAINED = 0.5;
/** A value of an attribute is tried only if it explains at least this share of the extra visits. */
const LEAST_OF_VALUE = 0.01;
/**
 * The search also tries conditions with a list of values, sorted by extra visits. The list ends before a value with far
 * fewer extra visits, because such visits probably have another cause. Far fewer means less than a quarter of the mean
 * of the values before it.
 */
const LEAST_OF_LIST = 0.25;
/** A suggestion may select at most this share of the usual visits, because usual visits are from real visitors. */
const MOST_USUAL = 0.02;
/** Leaving out one usual visit is as bad as missing 10 extra visits. */
const COST = 10;
/**
 * The search adds conditions to a rule one by one. This cost is for choosing the rules that get one more condition. A
 * usual visit that a rule selects is then only as bad as one missed extra visit, not as 10 (`COST`). The next
 * condition may still remove the usual visit from the rule.
 */
const STEP_COST = 1;
/**
 * The search tries one list of values for each of these numbers. The values in a list have more than 1.5, 3 or 10 times
 * their usual visits.
 */
const TIMES = [1.5, 3, 10];
/**
 * The price of each condition of a rule, as a share of the extra visits. So a condition is added only if the rule then
 * leaves out clearly fewer usual visits.
 */
const COST_OF_ATTRIBUTE = 0.01;

type Choice = { attribute: Attribute; codes: readonly number[] };
/** `now` is the number of visits on the day. `usual` is the usual number for such a day. */
type UsualSums = { now: number; usual: number };
type Rule = UsualSums & { choices: readonly Choice[] };
type FoundRule = Rule & { rows: Uint32Array };

/**
 * Suggests exclusions for a day with far more visits than usual. The search finds terms, and the suggestions have their
 * texts. A value of `pageviews` is a number.
 */
export function suggestFrom({ day, now, before, oneOf }: Sample, readText: (term: number) => string): NamedDraft[] {
  /**
   * Returns a value as a filter writes it: a text, or a number of pageviews. Returns undefined if a filter cannot have
   * the value, such as `(other)`.
   */
  function findName(attribute: Attribute, term: number): string | number | undefined {
    if (attribute === 'pageviews') return term === ONE_PAGE ? term : undefined;
    const text = readText(term);
    return text !== OTHER && (attribute !== 'entry' || text.startsWith('/')) ? text : undefined;
  }
  const mayBe = (attribute: Attribute, term: number): boolean => findName(attribute, term) !== undefined;
  return makeDrafts(now, before, { times: oneOf, mayBe }).map(({ values, compared }) => {
    const named = Object.entries(values).map(
      ([name, terms]) => [name, terms.flatMap((term) => findName(name as Attribute, term) ?? [])] as const,
    );
    return {
      suggestion: {
        day,
        values: Object.fromEntries(named),
        visits: countVisits(now) * oneOf,
        now: compared.now,
        usual: compared.usual,
      },
      filters: Object.fromEntries(named.map(([name, is]) => [name, { is }])),
    };
  });
}

/**
 * Returns the first codes of a list that is sorted by extra visits (`more`), at most 20. The result ends before a code
 * with far fewer extra visits than the codes before it.
 */
function takeAlike(codes: readonly number[], more: (code: number) => number): number[] {
  let sum = 0;
  const end = codes.findIndex((code, i) => {
    if (i === MOST_VALUES || more(code) * i < LEAST_OF_LIST * sum) return true;
    sum += more(code);
    return false;
  });
  return end < 0 ? [...codes] : codes.slice(0, end);
}

/**
 * Lists the values of an attribute, and sets of its values, that may explain the extra visits. Only the visits in
 * `rows` count.
 */
function listOptions(table: Table, attribute: Attribute, rows: Uint32Array, surplus: number): Rule[] {
  const { now, usual } = countCodes(table, attribute, rows);
  const { terms } = table.columns[attribute];
  const more = (code: number): number => (now[code] as number) - (usual[code] as number);
  const grown: number[] = [];
  for (let code = 0; code < now.length; code++) {
    const isEnough = more(code) >= Math.max(LEAST_OF_VALUE * surplus, 2);
    if (isEnough && table.mayBe(attribute, terms[code] as number)) grown.push(code);
  }
  // Values with equal counts are sorted by term. Otherwise, the suggestion would depend on the order in which the day
  // is stored.
  grown.sort((one, other) => more(other) - more(one) || (terms[one] as number) - (terms[other] as number));
  const lists = TIMES.map((times) =>
    takeAlike(
      grown.filter((code) => (now[code] as number) > times * ((usual[code] as number) + 1 / table.weekCount)),
      more,
    ),
  );
  const all = [...grown.slice(0, MOST_SINGLE).map((code) => [code]), ...lists];
  const distinct = new Map(all.filter(({ length }) => length > 0).map((codes) => [codes.join(), codes]));
  const sum = (counts: ArrayLike<number>, codes: readonly number[]) =>
    codes.reduce((sum, code) => sum + (counts[code] as number), 0);
  return [...distinct.values()].map((codes) => ({
    choices: [{ attribute, codes }],
    now: sum(now, codes),
    usual: sum(usual, codes),
  }));
}

const sumExplained = ({ now, usual }: UsualSums): number => now - usual;

const makeKey = ({ choices }: Rule): string =>
  choices
    .map(({ attribute, codes }) => `${attribute} ${codes}`)
    .sort()
    .join();

/**
 * Adds one more condition to each rule. The rules that explain many extra visits and leave out few usual visits are
 * first.
 */
function listNextRules(table: Table, found: readonly FoundRule[], surplus: number): FoundRule[] {
  const next = new Map<string, FoundRule>();
  for (const { choices, rows } of found) {
    const others = ATTRIBUTES.filter((name) => !choices.some(({ attribute }) => attribute === name));
    for (const attribute of others) {
      for (const option of listOptions(table, attribute, rows, surplus)) {
        if (sumExplained(option) < LEAST_EXPLAINED * surplus) continue;
        // `rows` still has the visits of the rule without the new condition. `narrowRule` later removes the visits that
        // fail this condition, but only for the few rules that are used.
        const rule = { ...option, choices: [...choices, ...option.choices], rows };
        next.set(makeKey(rule), rule);
      }
    }
  }
  const promise = (rule: Rule): number => sumExplained(rule) - STEP_COST * rule.usual;
  return [...next.values()].sort((one, other) => promise(other) - promise(one));
}

/** Removes the visits that do not meet the last condition of the rule. */
function narrowRule(table: Table, { rows, ...rule }: FoundRule): FoundRule {
  const { attribute, codes } = rule.choices.at(-1) as Choice;
  return { ...rule, rows: chooseRows(table, rows, attribute, codes) };
}

/** Finds the best rule. A good rule explains many extra visits, leaves out few usual visits, and has few conditions. */
function findBestRule(table: Table, rows: Uint32Array, all: Compared): FoundRule | undefined {
  const surplus = sumExplained(all);
  const gain = (rule: Rule): number =>
    sumExplained(rule) - COST * rule.usual - COST_OF_ATTRIBUTE * surplus * rule.choices.length;
  const fits: FoundRule[] = [];
  let found: FoundRule[] = [{ choices: [], now: all.now, usual: all.usual, rows }];
  for (let step = 1; step <= MOST_ATTRIBUTES && found.length > 0; step++) {
    const rules = listNextRules(table, found, surplus);
    fits.push(...rules.filter(({ usual }) => usual <= MOST_USUAL * all.usual));
    found = rules.slice(0, WIDTH).map((rule) => narrowRule(table, rule));
  }
  const [best] = fits.sort((one, other) => gain(other) - gain(one));
  return best && narrowRule(table, best);
}

/** Drops the weeks that had unusually many visits themselves. Otherwise, the usual number would be too high. */
function listUsualWeeks(before: readonly DayVisits[], { times = 1 }: VisitTableOptions): DayVisits[] {
  const counts = before.map((day) => countVisits(day) * times);
  return before.filter((_, i) => !isFarAbove(compared(counts[i] as number, counts.toSpliced(i, 1))));
}

/**
 * Makes suggestions for a day. Compares the day with the same weekday of the weeks before. Returns an empty list if the
 * number of visits is usual for that weekday, or if too few weeks are known.
 */
export function makeDrafts(day: DayVisits, before: readonly DayVisits[], options: VisitTableOptions = {}): Draft[] {
  const weeks = listUsualWeeks(before, options);
  if (weeks.length < LEAST_WEEKS) return [];
  const table = makeTable([day, ...weeks], options);
  const drafts: Draft[] = [];
  let rows: Uint32Array = Uint32Array.from(table.weeks.keys());
  while (drafts.length < MOST_DRAFTS) {
    const all = countByWeek(table, rows);
    const best = isAbove(all) ? findBestRule(table, rows, all) : undefined;
    const own = best && countByWeek(table, best.rows);
    if (!best || !own || !isFarAbove(own) || sumExplained(own) < LEAST_OF_DAY * all.usual) break;
    const listValues = ({ attribute, codes }: Choice) =>
      codes.map((code) => table.columns[attribute].terms[code] as number);
    const values = best.choices.map((choice) => [choice.attribute, listValues(choice)] as const);
    drafts.push({ values: Object.fromEntries(values), compared: own });
    const taken = new Set(best.rows);
    rows = rows.filter((row) => !taken.has(row));
  }
  return drafts;
}

/**
 * The most visits that the search reads, over all compared days. With so many visits, the search takes some tenths of a
 * second.
 */
const MOST_VISITS = 200_000;

/** Returns a number n: the search reads only every n-th visit, and at most 200,000 in all. For a small site n is 1. */
export const chooseSample = (visits: number): number => Math.ceil((visits + 1) / MOST_VISITS);

/**
 * The visits of a day (`now`), and of the same weekday in earlier weeks (`before`). If `oneOf` is 5, only every fifth
 * visit is in the lists.
 */
type Sample = { day: number; now: DayVisits; before: readonly DayVisits[]; oneOf: number };
/**
 * A suggested exclusion, with the filters that select its visits. If the search read only every n-th visit, the numbers
 * are estimates. Therefore the engine counts all visits that the filters select, and adds these `totals`.
 */
type NamedDraft = { suggestion: Omit<Suggestion, 'totals'>; filters: Record<string, { is: (string | number)[] }> };
