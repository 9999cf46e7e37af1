// This file finds what to exclude from a day with far more visits than usual. An example is all visits of one country with one browser.
//
// The surplus is the number of extra visits: those above the usual number for the weekday. A draft is a possible exclusion with up to three
// attributes, each with some values. A good draft selects most of the extra visits, but hardly any usual visits. For example, a day has
// 1,000 visits and 200 are usual. Then "country XX and browser Opera" may explain 780 of the 800 extra visits.
//
// The search first takes the values of each attribute that explain the most extra visits. Then it combines the best of these values with
// each second attribute, and so on. The engines call `suggestFrom` in their files query/exclusion-suggestions.ts. Test:
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
/** A filter has at most 20 values. */
const MOST_VALUES = 20;
/**
 * The extra visits may have several causes. The visits that a draft selects are removed. Then the search goes on with the remaining visits,
 * for up to 3 drafts.
 */
const MOST_DRAFTS = 3;
/** After each step, the 8 best rules are combined with one more attribute. */
const WIDTH = 8;
/** A single value is tried if it is one of the 4 values of its attribute with the most extra visits. */
const MOST_SINGLE = 4;
/** The extra visits that a suggested exclusion explains must be at least this share of the visits of a usual day. */
const LEAST_OF_DAY = 0.1;
/** They must also be at least this share of all extra visits of the day. */
const LEAST_EXPLAINED = 0.5;
/** A value is not tried if it explains less than this share of the extra visits. */
const LEAST_OF_VALUE = 0.01;
/**
 * A list of values is sorted by extra visits, with the most at the beginning. The list ends before a value that has less than a quarter of
 * the mean extra visits of the values before it. Such a value likely has another cause.
 */
const LEAST_OF_LIST = 0.25;
/** A suggested exclusion may take out at most this share of the usual visits. */
const MOST_USUAL = 0.02;
/** Each usual visit that would be taken out costs as much as 10 extra visits that are explained. */
const COST = 10;
/** As long as one more attribute may be added to a rule, a usual visit costs only as much as one extra visit. */
const STEP_COST = 1;
/** Each factor makes one list of values. A value is in the list if its visits are more than this factor times its usual visits. */
const TIMES = [1.5, 3, 10];
/** Each attribute of a rule costs this share of the extra visits. So an attribute is added only if it saves enough usual visits. */
const COST_OF_ATTRIBUTE = 0.01;

type Choice = { attribute: Attribute; codes: readonly number[] };
/** `now` counts visits of the day, and `usual` is the usual number of such visits. */
type UsualSums = { now: number; usual: number };
type Rule = UsualSums & { choices: readonly Choice[] };
type FoundRule = Rule & { rows: Uint32Array };

/** Suggests exclusions for a day that stands out. Values are given as texts. */
export function suggestFrom({ day, now, before, oneOf }: Sample, readText: (term: number) => string): NamedDraft[] {
  /** Gives the text of a term, or the number of pageviews, for use in a filter. Gives undefined if a filter cannot name the value. */
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
 * Takes the first codes of a list that is sorted by extra visits, which `more` gives. Stops at a code that has far fewer extra visits than
 * the codes before it.
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

/** Lists single values and lists of values of an attribute that may explain the extra visits among the given rows. */
function listOptions(table: Table, attribute: Attribute, rows: Uint32Array, surplus: number): Rule[] {
  const { now, usual } = countCodes(table, attribute, rows);
  const { terms } = table.columns[attribute];
  const more = (code: number): number => (now[code] as number) - (usual[code] as number);
  const grown: number[] = [];
  for (let code = 0; code < now.length; code++) {
    const isEnough = more(code) >= Math.max(LEAST_OF_VALUE * surplus, 2);
    if (isEnough && table.mayBe(attribute, terms[code] as number)) grown.push(code);
  }
  // Codes with equal counts are sorted by term. Otherwise their order would depend on how the day is stored.
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

/** Extends each rule by one attribute. The most promising rules come first. */
function listNextRules(table: Table, found: readonly FoundRule[], surplus: number): FoundRule[] {
  const next = new Map<string, FoundRule>();
  for (const { choices, rows } of found) {
    const others = ATTRIBUTES.filter((name) => !choices.some(({ attribute }) => attribute === name));
    for (const attribute of others) {
      for (const option of listOptions(table, attribute, rows, surplus)) {
        if (sumExplained(option) < LEAST_EXPLAINED * surplus) continue;
        // `rows` still has the rows of the shorter rule. `narrowRule` corrects this for the rules that are used.
        const rule = { ...option, choices: [...choices, ...option.choices], rows };
        next.set(makeKey(rule), rule);
      }
    }
  }
  const promise = (rule: Rule): number => sumExplained(rule) - STEP_COST * rule.usual;
  return [...next.values()].sort((one, other) => promise(other) - promise(one));
}

/** Narrows the rows of a rule to those that its last choice selects. */
function narrowRule(table: Table, { rows, ...rule }: FoundRule): FoundRule {
  const { attribute, codes } = rule.choices.at(-1) as Choice;
  return { ...rule, rows: chooseRows(table, rows, attribute, codes) };
}

/** Finds the best rule: it explains many extra visits, takes out few usual visits, and has few attributes. */
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

/** Leaves out weeks that had unusually many visits themselves. */
function listUsualWeeks(before: readonly DayVisits[], { times = 1 }: VisitTableOptions): DayVisits[] {
  const counts = before.map((day) => countVisits(day) * times);
  return before.filter((_, i) => !isFarAbove(compared(counts[i] as number, counts.toSpliced(i, 1))));
}

/** Makes drafts of exclusions for a day, compared with the same weekday of the weeks before. Gives none if the day does not stand out. */
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

/** The search reads at most 200,000 visits of all compared days together, which takes some tenths of a second. */
const MOST_VISITS = 200_000;

/** Gives a number n: the search reads every n-th visit. With fewer than 200,000 visits, n is 1. */
export const chooseSample = (visits: number): number => Math.ceil((visits + 1) / MOST_VISITS);

/** The visits of a day, and of the same weekday in earlier weeks. If `oneOf` is 5, only every fifth visit is in the lists. */
type Sample = { day: number; now: DayVisits; before: readonly DayVisits[]; oneOf: number };
/** A suggestion, and the filters that select its visits. Only the engine can count exactly what the filters select. */
type NamedDraft = { suggestion: Omit<Suggestion, 'totals'>; filters: Record<string, { is: (string | number)[] }> };
