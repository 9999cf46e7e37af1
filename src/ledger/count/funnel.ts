import { isPattern } from '../../lib/pattern.ts';
import type { Target } from '../../store/sites/goals.ts';
import { findCode } from '../column/column.ts';
import type { Numbers } from '../column/packing.ts';
import { type Day, findFirstVisit, findStarts, type Selection } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';
import { noHits } from './hit-filter.ts';
import { makeTermTest, type TermTest, UNKNOWN_TERM } from './term-filter.ts';

/** What a hit must be that reaches a step: of a term, or of one of those that a pattern accepts. */
export type Step = { page?: number | TermTest; event: number };

const PAGEVIEW = 0;

export function makeStep({ type, value }: Target, texts: Texts): Step {
  const term = texts.findTerm(value) ?? UNKNOWN_TERM;
  if (type === 'event') return { event: term };
  return { page: isPattern(value) ? makeTermTest({ like: [value] }, texts) : term, event: PAGEVIEW };
}

/** The codes of hits, and of each code the steps that it meets: a bit for each. */
type Bits = { codes: Numbers; bits: Uint8Array };

function addBit(bits: Uint8Array, accepted: Uint8Array, bit: number): void {
  for (let code = 0; code < bits.length; code++) {
    bits[code] = (bits[code] as number) | ((accepted[code] as number) * bit);
  }
}

/** A step that does not ask for anything in a column is met by all of its codes. There are at most 8 steps. */
function bitsOf(day: Day, steps: readonly Step[], name: keyof Step): Bits {
  const notAsked = steps.reduce((sum, step, i) => sum + (step[name] === undefined ? 1 << i : 0), 0);
  if (notAsked === 2 ** steps.length - 1) return { codes: noHits(day), bits: Uint8Array.of(notAsked) };
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

type Hits = { again: Numbers; starts: Uint32Array; page: Bits; event: Bits };

/** Counts visitors by how many steps they reached in turn. Selected visits of a visitor are read as one. */
function countReached(ended: Uint32Array, { visits, count }: Selection, { again, starts, page, event }: Hits): void {
  let latest = -1;
  let step = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (again[visit] === 0 || findFirstVisit(again, visit) > latest) {
      ended[step] = (ended[step] as number) + 1;
      step = 0;
    }
    latest = visit;
    const end = starts[visit + 1] as number;
    // Without a branch: no processor foresees who goes on.
    for (let hit = starts[visit] as number; hit < end; hit++) {
      const met = (page.bits[page.codes[hit] as number] as number) & (event.bits[event.codes[hit] as number] as number);
      step += (met >>> step) & 1;
    }
  }
  ended[step] = (ended[step] as number) + 1;
}

/** Adds the visitors of a day to the steps that they reached. A step counts only after the step before it. */
export function addSteps(day: Day, selection: Selection, steps: readonly Step[], reached: number[]): void {
  if (steps.length === 0) return;
  const ended = new Uint32Array(steps.length + 1);
  const [page, event] = [bitsOf(day, steps, 'page'), bitsOf(day, steps, 'event')];
  countReached(ended, selection, { again: day.column('again').codes, starts: findStarts(day), page, event });
  let visitors = 0;
  for (let step = steps.length; step > 0; step--) {
    visitors += ended[step] as number;
    reached[step - 1] = (reached[step - 1] as number) + visitors;
  }
}
