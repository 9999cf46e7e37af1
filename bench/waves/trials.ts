import { type Dice, dice } from '../../src/demo/dice.ts';
import { type Draft, makeDrafts } from '../../src/stats/suggest.ts';
import { ATTRIBUTES, makeVisits, type Visits } from '../../src/stats/visit-table.ts';
import { KINDS } from './kinds.ts';
import { ONE_PAGE, type Seen, type Site, siteOf } from './site.ts';

const WEEKS = 8;
/** A wave counts as found if the suggestions select at least this share of its visits. */
const FOUND = 0.8;

/** `usual` is the number of usual visits of a day. `size` is the size of the wave, as a share of these. */
type Plan = { usual: number; size: number; kind: string };
/** The suggestions, which share of the usual visits they select, and how many milliseconds the search took. */
export type Trial = Plan & { drafts: string[]; isFound: boolean; inside: number; ms: number };

/** Gives texts numbers. */
function dictionary() {
  const terms = new Map<string, number>();
  const findTerm = (text: string): number => {
    const term = terms.get(text) ?? terms.size;
    terms.set(text, term);
    return term;
  };
  return { findTerm, readText: (term: number): string => [...terms.keys()][term] ?? '' };
}

type Dictionary = ReturnType<typeof dictionary>;

function visitsOf({ findTerm }: Dictionary, seen: readonly Seen[]): Visits {
  return makeVisits((name) => {
    const texts = [...new Set(seen.map((one) => one[name]))];
    const codes = new Map(texts.map((text, code) => [text, code]));
    return { terms: texts.map(findTerm), codes: Uint32Array.from(seen, (one) => codes.get(one[name]) ?? 0) };
  });
}

function shareOf({ findTerm }: Dictionary, drafts: readonly Draft[], seen: readonly Seen[]): number {
  const isTaken = (one: Seen): boolean =>
    drafts.some(({ values }) => ATTRIBUTES.every((name) => values[name]?.includes(findTerm(one[name])) ?? true));
  return seen.length === 0 ? 0 : seen.filter(isTaken).length / seen.length;
}

const wordsOf = ({ readText }: Dictionary, { values }: Draft): string =>
  Object.entries(values)
    .map(([name, terms]) => `${name} is ${terms.map(readText).join(' or ') || 'empty'}`)
    .join(', ');

/** Makes a day with a wave on a site, and eight usual days before it. Searches for the wave. */
function trial(
  words: Dictionary,
  before: readonly Visits[],
  plan: Plan,
  { site, thrown }: { site: Site; thrown: Dice },
): Trial {
  const real = site.day(plan.usual);
  const bots = Array.from(
    { length: Math.round(plan.size * plan.usual) },
    KINDS[plan.kind]?.(site, thrown) ?? site.somebody,
  );
  const day = visitsOf(words, [...real, ...bots]);
  const onePage = words.findTerm(ONE_PAGE);
  const begin = performance.now();
  const drafts = makeDrafts(
    [day],
    before.map((one) => [one]),
    { mayBe: (attribute, term) => attribute !== 'pageviews' || term === onePage },
  );
  return {
    ...plan,
    drafts: drafts.map((draft) => wordsOf(words, draft)),
    isFound: shareOf(words, drafts, bots) >= FOUND,
    inside: shareOf(words, drafts, real),
    ms: performance.now() - begin,
  };
}

/** Tries waves of all kinds and some sizes on one site. */
export function* trialsOn(usual: number, sizes: readonly number[], seed: number): Generator<Trial> {
  const thrown = dice(seed * 1_000 + usual);
  const site = siteOf(thrown);
  const words = dictionary();
  const before = Array.from({ length: WEEKS }, () => visitsOf(words, site.day(usual)));
  for (const kind of Object.keys(KINDS)) {
    for (const size of sizes) yield trial(words, before, { usual, size, kind }, { site, thrown });
  }
}
