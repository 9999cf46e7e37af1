import { isDeepStrictEqual } from 'node:util';
import { figuresOf, type Server } from './daybook.ts';
import type { Engine } from './engine.ts';
import { lastDays, nameOf, QUESTIONS, type Question, type Span, spanOf } from './questions.ts';
import { answer } from './reports.ts';
import { median } from './table.ts';

/** A program that answers queries. `figuresOf` brings the answers of all parties into one form. */
export type Party = {
  name: string;
  ask(question: Question, span: Span, limit?: number): Promise<unknown>;
  /** The processor time that the party has used so far, in microseconds. */
  cpu(): number;
};

const ownTime = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

export const productParty = ({ ask, cpu }: Pick<Server, 'ask' | 'cpu'>, name = 'daybook'): Party => ({
  name,
  cpu,
  ask(question, span, limit) {
    const { from, to } = spanOf(question, span);
    return ask(question, `${from}~${to}`, limit);
  },
});

/** The number of rows that daybook answers by default. */
const USUAL_LIMIT = 10;

export const engineParty = ({ name, dialect, run }: Engine): Party => ({
  name,
  cpu: ownTime,
  ask: async (question, span, limit = USUAL_LIMIT) => ({
    data: await answer({ question, span: spanOf(question, span), limit, dialect, run }),
  }),
});

/** Finds the first place at which two answers differ. */
function difference(a: unknown, b: unknown, path = ''): string | undefined {
  if (isDeepStrictEqual(a, b)) return undefined;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b)
    return `${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = difference(left[key], right[key], `${path}.${key}`);
    if (found) return found;
  }
  return undefined;
}

/**
 * Answers are compared for the whole year and for shorter ranges. In the shorter ranges, a series has a point for each
 * day, and the previous period has hits.
 */
const CHECKED_DAYS = [365, 90, 7];
const MOST_ROWS = 100;

/** Lists all differences between the answers of the parties. Empty if all answers are equal. */
export async function disagreements(parties: readonly Party[], year: Span): Promise<string[]> {
  const [first, ...others] = parties;
  const found: string[] = [];
  for (const span of CHECKED_DAYS.map((days) => lastDays(year, days))) {
    for (const question of QUESTIONS) {
      const ours = figuresOf(await first?.ask(question, span, MOST_ROWS));
      for (const other of others) {
        const apart = difference(ours, figuresOf(await other.ask(question, span, MOST_ROWS)));
        if (apart)
          found.push(`${nameOf(question)}, ${span.from}~${span.to}: ${first?.name} and ${other.name} at ${apart}`);
      }
    }
  }
  return found;
}

/** How long an answer took, in milliseconds. The kernel counts processor time in steps of 10 ms. */
export type Taken = { time: number; cpu: number };

/**
 * Measures each party with each query: the median of the elapsed time, and the mean of the processor time. The parties
 * take turns, so that a disturbance affects all of them.
 */
export async function times(parties: readonly Party[], year: Span, runs: number, warmUps: number): Promise<Taken[][]> {
  const taken = QUESTIONS.map(() => parties.map((): Taken[] => []));
  for (let run = -warmUps; run < runs; run++) {
    for (const [i, question] of QUESTIONS.entries()) {
      for (const [j, party] of parties.entries()) {
        const [start, before] = [performance.now(), party.cpu()];
        await party.ask(question, year);
        const one = { time: performance.now() - start, cpu: (party.cpu() - before) / 1000 };
        if (run >= 0) taken[i]?.[j]?.push(one);
      }
    }
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return taken.map((row) =>
    row.map((all) => ({ time: median(all.map(({ time }) => time)), cpu: mean(all.map(({ cpu }) => cpu)) })),
  );
}
