/**
 * Finds what might be excluded of a day with far more visits than usual, such as visits of one country with one browser.
 *
 * A day above its weekday has a surplus of visits. A draft has at most three attributes, each with a few values, that most of the surplus
 * has and hardly any of the usual visits. With 1,000 visits where 200 are usual, `country XX and browser Opera` may explain 780 of 800. The
 * search goes step by step: the values of each attribute that explain most, the best of these with each value of a second attribute, and so
 * on. `ledger` and `cluster` call `suggestFrom` in `query/exclusion-suggestions.ts`. Test: test/stats/suggest.test.ts.
 */
import { OTHER } from './dimensions.ts';
import type { Suggestion } from './suggestion.ts';
import { type Compared, compared, isAbove, isFarAbove, LEAST_WEEKS } from './unusual.ts';
import {
  ATTRIBUTES,
  type Attribute,
  byWeek,
  countCodes,
  countVisits,
  type DayVisits,
  makeTable,
  ONE_PAGE,
  type Options,
  rowsWith,
  type Table,
} from './visit-table.ts';

export type Draft = { values: Partial<Record<Attribute, number[]>>; compared: Compared };

const MOST_ATTRIBUTES = 3;
/** A filter has so many values at most. */
const MOST_VALUES = 20;
/** What is left of the surplus after one may be of another wave. */
const MOST_DRAFTS = 3;
/** So many of each step are looked into further. */
const WIDTH = 8;
/** A single value is tried if it is among so many of its attribute. */
const MOST_SINGLE = 4;
/** Less than a tenth of a usual day is no wave. */
const LEAST_OF_DAY = 0.1;
/** A draft explains at least half of the surplus. */
const LEAST_EXPLAINED = 0.5;
/** A value that explains less is not tried. */
const LEAST_OF_VALUE = 0.01;
/** A list ends before a value that has less of what the values before it have on average: it is likely of something else. */
const LEAST_OF_LIST = 0.25;
/** One in fifty of the usual visits may be like those of a draft. */
const MOST_USUAL = 0.02;
/** Each usual visit inside outweighs so many others of the surplus. */
const COST = 10;
/** A step looks for what may become better by the next one, so that usual visits weigh less. */
const STEP_COST = 1;
/** Lists of values are those whose every value has so many times more than usual. */
const TIMES = [1.5, 3, 10];
/** An attribute more must spare usual visits worth this share of the surplus. */
const COST_OF_ATTRIBUTE = 0.01;

type Choice = { attribute: Attribute; codes: readonly number[] };
/** Visits of the day, and how many these are usually. */
type Sums = { now: number; usual: number };
type Rule = Sums & { choices: readonly Choice[] };
type Found = Rule & { rows: Uint32Array };

/** The first of some codes, the largest first, up to where they fall off. */
function alike(codes: readonly number[], more: (code: number) => number): number[] {
  let sum = 0;
  const end = codes.findIndex((code, i) => {
    if (i === MOST_VALUES || more(code) * i < LEAST_OF_LIST * sum) return true;
    sum += more(code);
    return false;
  });
  return end < 0 ? [...codes] : codes.slice(0, end);
}

/** The values of an attribute, and lists of them, which of some rows may be what is looked for. */
function listOptions(table: Table, attribute: Attribute, rows: Uint32Array, surplus: number): Rule[] {
  const { now, usual } = countCodes(table, attribute, rows);
  const { terms } = table.columns[attribute];
  const more = (code: number): number => (now[code] as number) - (usual[code] as number);
  const grown: number[] = [];
  for (let code = 0; code < now.length; code++) {
    const isEnough = more(code) >= Math.max(LEAST_OF_VALUE * surplus, 2);
    if (isEnough && table.mayBe(attribute, terms[code] as number)) grown.push(code);
  }
  // By term where they are alike, so that it does not matter how a day is stored.
  grown.sort((one, other) => more(other) - more(one) || (terms[one] as number) - (terms[other] as number));
  const lists = TIMES.map((times) =>
    alike(
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

const explained = ({ now, usual }: Sums): number => now - usual;

const makeKey = ({ choices }: Rule): string =>
  choices
    .map(({ attribute, codes }) => `${attribute} ${codes}`)
    .sort()
    .join();

/** The rules with one attribute more, the most promising first. */
function nextRules(table: Table, found: readonly Found[], surplus: number): Found[] {
  const next = new Map<string, Found>();
  for (const { choices, rows } of found) {
    const others = ATTRIBUTES.filter((name) => !choices.some(({ attribute }) => attribute === name));
    for (const attribute of others) {
      for (const option of listOptions(table, attribute, rows, surplus)) {
        if (explained(option) < LEAST_EXPLAINED * surplus) continue;
        // Its rows are still those that it is chosen from.
        const rule = { ...option, choices: [...choices, ...option.choices], rows };
        next.set(makeKey(rule), rule);
      }
    }
  }
  const promise = (rule: Rule): number => explained(rule) - STEP_COST * rule.usual;
  return [...next.values()].sort((one, other) => promise(other) - promise(one));
}

/** The rule with its own rows, of those that its last choice is about. */
function narrowed(table: Table, { rows, ...rule }: Found): Found {
  const { attribute, codes } = rule.choices.at(-1) as Choice;
  return { ...rule, rows: rowsWith(table, rows, attribute, codes) };
}

/** The rule that explains most of the surplus of some rows with the least of the usual. */
function bestRule(table: Table, rows: Uint32Array, all: Compared): Found | undefined {
  const surplus = explained(all);
  const gain = (rule: Rule): number =>
    explained(rule) - COST * rule.usual - COST_OF_ATTRIBUTE * surplus * rule.choices.length;
  const fits: Found[] = [];
  let found: Found[] = [{ choices: [], now: all.now, usual: all.usual, rows }];
  for (let step = 1; step <= MOST_ATTRIBUTES && found.length > 0; step++) {
    const rules = nextRules(table, found, surplus);
    fits.push(...rules.filter(({ usual }) => usual <= MOST_USUAL * all.usual));
    found = rules.slice(0, WIDTH).map((rule) => narrowed(table, rule));
  }
  const [best] = fits.sort((one, other) => gain(other) - gain(one));
  return best && narrowed(table, best);
}

/** The weeks before that are no measure themselves, because they were far above the others, are left out. */
function usualWeeks(before: readonly DayVisits[], { times = 1 }: Options): DayVisits[] {
  const counts = before.map((day) => countVisits(day) * times);
  return before.filter((_, i) => !isFarAbove(compared(counts[i] as number, counts.toSpliced(i, 1))));
}

/** What might be excluded of a day, compared with its weekday before it. A day that does not stand out has no drafts. */
export function draftsFor(day: DayVisits, before: readonly DayVisits[], options: Options = {}): Draft[] {
  const weeks = usualWeeks(before, options);
  if (weeks.length < LEAST_WEEKS) return [];
  const table = makeTable([day, ...weeks], options);
  const drafts: Draft[] = [];
  let rows: Uint32Array = Uint32Array.from(table.weeks.keys());
  while (drafts.length < MOST_DRAFTS) {
    const all = byWeek(table, rows);
    const best = isAbove(all) ? bestRule(table, rows, all) : undefined;
    const own = best && byWeek(table, best.rows);
    if (!best || !own || !isFarAbove(own) || explained(own) < LEAST_OF_DAY * all.usual) break;
    const listValues = ({ attribute, codes }: Choice) =>
      codes.map((code) => table.columns[attribute].terms[code] as number);
    const values = best.choices.map((choice) => [choice.attribute, listValues(choice)] as const);
    drafts.push({ values: Object.fromEntries(values), compared: own });
    const taken = new Set(best.rows);
    rows = rows.filter((row) => !taken.has(row));
  }
  return drafts;
}

/** So many visits of all days together are looked at, which takes some tenths of a second. */
const MOST_VISITS = 200_000;

/** Of more visits one of so many is looked at. */
export const chooseSample = (visits: number): number => Math.ceil((visits + 1) / MOST_VISITS);

/** The visits of a day and of its weekday before it, one of `oneOf`. */
type Sample = { day: number; now: DayVisits; before: readonly DayVisits[]; oneOf: number };
/** A suggestion, and the filters that select what it would take. Only the engine can say how much that is. */
type NamedDraft = { suggestion: Omit<Suggestion, 'totals'>; filters: Record<string, { is: (string | number)[] }> };

/** What might be excluded of a day that stands out, with the texts of its terms. */
export function suggestFrom({ day, now, before, oneOf }: Sample, readText: (term: number) => string): NamedDraft[] {
  /** What a filter names a value, if it may. */
  function findName(attribute: Attribute, term: number): string | number | undefined {
    if (attribute === 'pageviews') return term === ONE_PAGE ? term : undefined;
    const text = readText(term);
    return text !== OTHER && (attribute !== 'entry' || text.startsWith('/')) ? text : undefined;
  }
  const mayBe = (attribute: Attribute, term: number): boolean => findName(attribute, term) !== undefined;
  return draftsFor(now, before, { times: oneOf, mayBe }).map(({ values, compared }) => {
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
