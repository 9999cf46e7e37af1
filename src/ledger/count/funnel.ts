// Counts how many visitors reach the steps of a funnel, one after the other, within a day.
//
// Invariant: a step counts only if earlier hits of the visitor reached all steps before it.
//
// Example: the steps are page /a, page /b and event buy. Visitor A has the hits /a, buy and /b. A reaches two steps,
// because the purchase came before /b. Visitor B has only /b and reaches no step. The counts are therefore 1, 1 and 0.
// query/scan.ts calls `addSteps` for each day and adds up the counts.
import { isPattern } from '../../lib/pattern.ts';
import type { Range } from '../../stats/query.ts';
import type { Target } from '../../store/sites/goals.ts';
import { findCode } from '../column/column.ts';
import type { Numbers } from '../column/packing.ts';
import { type Day, findFirstVisit, findStarts, type Selection } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';
import { testProperty } from './filters.ts';
import { type HitTest, makeNarrowing, makeZeros } from './hit-filter.ts';
import type { Match } from './match.ts';
import { makeTermTest, type TermTest, UNKNOWN_TERM } from './term-filter.ts';

/**
 * A step of a funnel. A hit reaches the step if the hit has the event and the page of the step. `event` is a term, and
 * 0 means a pageview. `page` is a term, or a test for a pattern such as /blog/*. Without `page`, every page is
 * accepted. `property` tests a property that the hit must also have.
 */
export type Step = { page?: number | TermTest; event: number; property?: HitTest | undefined };

const PAGEVIEW = 0;

/**
 * Adds to `reached[i]` how many visitors reached step i. Returns a function that lists the hits with which visitors
 * reached the last step. Only revenue needs these hits. The function must be called before the next selection is made,
 * because that selection overwrites the list of visits.
 */
export function addSteps(day: Day, selection: Selection, steps: readonly Step[], reached: number[]): () => number[] {
  if (steps.length === 0) return () => [];
  const ended = new Uint32Array(steps.length + 1);
  const [page, ofEvent] = [findBits(day, steps, 'page'), findBits(day, steps, 'event')];
  const event = steps.some(({ property }) => property) ? narrowBits(day, steps, ofEvent) : ofEvent;
  const columns = { again: day.column('again').codes, starts: findStarts(day), page, event };
  const whole = countReached(ended, selection, columns);
  let visitors = 0;
  for (let step = steps.length; step > 0; step--) {
    visitors += ended[step] as number;
    reached[step - 1] = (reached[step - 1] as number) + visitors;
  }
  return () => whole.map(({ from, to }) => findLastHit(selection.visits.subarray(from, to), steps.length, columns));
}

export function makeStep({ type, value, property }: Target, texts: Texts): Step {
  if (property) return { ...makeStep({ type, value }, texts), property: testProperty(property, texts) };
  const term = texts.findTerm(value) ?? UNKNOWN_TERM;
  if (type === 'event') return { event: term };
  return { page: isPattern(value) ? makeTermTest({ like: [value] }, texts) : term, event: PAGEVIEW };
}

/**
 * Says which steps the page of each hit fits, or which steps its event fits. `codes` has the code of the page or event
 * of each hit. `bits` has a byte for each code. Bit i of this byte is set if the page or event fits step i.
 */
type Bits = { codes: Numbers; bits: Uint8Array };

function addBit(bits: Uint8Array, accepted: Uint8Array, bit: number): void {
  for (let code = 0; code < bits.length; code++) {
    bits[code] = (bits[code] as number) | ((accepted[code] as number) * bit);
  }
}

/**
 * Finds the steps that each page of a day fits. With the name `event`, finds the steps that each event fits. A step
 * that names only an event accepts every page. A funnel has at most 8 steps, so their bits fit into one byte.
 */
function findBits(day: Day, steps: readonly Step[], name: 'page' | 'event'): Bits {
  const notAsked = steps.reduce((sum, step, i) => sum + (step[name] === undefined ? 1 << i : 0), 0);
  if (notAsked === 2 ** steps.length - 1) return { codes: makeZeros(day), bits: Uint8Array.of(notAsked) };
  const { terms, codes } = day.column(name);
  const bits = new Uint8Array(terms.length).fill(notAsked);
  for (const [i, { [name]: wanted }] of steps.entries()) {
    if (wanted === undefined) continue;
    if (typeof wanted === 'function') addBit(bits, wanted(terms), 1 << i);
    else {
      const code = findCode(terms, wanted);
      if (code >= 0) bits[code] = (bits[code] as number) | (1 << i);
    }
  }
  return { codes, bits };
}

/**
 * Maps each byte to itself. `Bits` finds the steps of a hit in two lookups: its code, and then `bits[code]`, a byte
 * with one bit for each step. `narrowBits` stores this byte as the code itself. So the second lookup must return the
 * byte unchanged.
 */
const OWN_BITS = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/**
 * Finds the steps that the event of each hit fits. If a step has a property, the hit must have it too. The page is not
 * checked here.
 */
function narrowBits(day: Day, steps: readonly Step[], { codes, bits }: Bits): Bits {
  const own = Uint8Array.from(codes, (code) => bits[code] as number);
  for (const [i, { property }] of steps.entries()) {
    if (!property) continue;
    const match = makeNarrowing(day, property);
    if (match) keepBit(own, match, 1 << i);
  }
  return { codes: own, bits: OWN_BITS };
}

function keepBit(own: Uint8Array, { codes, code }: Match, bit: number): void {
  const isPossible = code >= 0;
  for (let hit = 0; hit < own.length; hit++) {
    if (!isPossible || codes[hit] !== code) own[hit] = (own[hit] as number) & ~bit;
  }
}

type FunnelHits = { again: Numbers; starts: Uint32Array; page: Bits; event: Bits };

/**
 * Counts visitors by the number of steps that they reached. For example, `ended[2]` counts visitors who reached two
 * steps and no more. A visitor may reach the next step in a later visit. For each visitor who reached all steps,
 * returns the range of the visitor's visits, as indexes in `visits`.
 */
function countReached(
  ended: Uint32Array,
  { visits, count }: Selection,
  { again, starts, page, event }: FunnelHits,
): Range[] {
  const steps = ended.length - 1;
  const whole: Range[] = [];
  let latest = -1;
  let from = 0;
  let step = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (again[visit] === 0 || findFirstVisit(again, visit) > latest) {
      ended[step] = (ended[step] as number) + 1;
      if (step === steps) whole.push({ from, to: i });
      step = 0;
      from = i;
    }
    latest = visit;
    const end = starts[visit + 1] as number;
    // An `if` in this loop would be slower, because the processor would often predict the wrong branch.
    for (let hit = starts[visit] as number; hit < end; hit++) {
      const met = (page.bits[page.codes[hit] as number] as number) & (event.bits[event.codes[hit] as number] as number);
      step += (met >>> step) & 1;
    }
  }
  ended[step] = (ended[step] as number) + 1;
  if (step === steps) whole.push({ from, to: count });
  return whole;
}

/** Finds the hit with which a visitor reached the last step. `visits` are the visits of this visitor. */
function findLastHit(visits: Uint32Array, steps: number, { starts, page, event }: FunnelHits): number {
  let step = 0;
  for (const visit of visits) {
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      const met = (page.bits[page.codes[hit] as number] as number) & (event.bits[event.codes[hit] as number] as number);
      step += (met >>> step) & 1;
      if (step === steps) return hit;
    }
  }
  throw new Error('the visitor did not reach the last step');
}
