import { compareText, percent } from './arithmetic.ts';
import { type Goal, matches, reaches, type Target, type Visit } from './visits.ts';

type Asked = Record<string, string | undefined>;
type Node = { value: string; visits: number; share: number; ended: number; next: Node[] };

const OTHER = '(other)';

const viewsOf = (hits: Visit['hits'][number][]): string[] =>
  hits.filter(({ event }) => event === '').map(({ page }) => page);

/** The same page in a row counts once. */
const unrepeated = (pages: readonly string[]): string[] => pages.filter((page, i) => page !== pages[i - 1]);

/** Without the pages at the beginning that belong to the root. */
function away(pages: readonly string[], { type, value }: Target): readonly string[] {
  const first = type === 'page' ? pages.findIndex((page) => !matches(page, value)) : 0;
  return first < 0 ? [] : pages.slice(first);
}

/** The pages that a visit saw from where it first meets the root; nothing where it does not. */
function pathOf({ hits }: Visit, root: Target | undefined, direction: string | undefined): string[] | undefined {
  if (!root) return unrepeated([hits[0].page, ...viewsOf(hits.slice(1))]);
  const met = hits.findIndex((hit) => reaches(hit, root));
  if (met < 0) return undefined;
  const seen = direction === 'before' ? viewsOf(hits.slice(0, met)).reverse() : viewsOf(hits.slice(met + 1));
  return unrepeated(away(seen, root));
}

type Asking = { steps: number; limit: number };

function nodeOf(value: string, paths: readonly string[][], before: number, { steps, limit }: Asking): Node {
  const ended = paths.filter((path) => path.length === 0).length;
  const next = steps === 0 ? [] : nextOf(paths, { steps, limit });
  return { value, visits: paths.length, share: percent(paths.length, before, 1), ended, next };
}

function nextOf(paths: readonly string[][], { steps, limit }: Asking): Node[] {
  const going = paths.filter((path) => path.length > 0);
  const named = [...Map.groupBy(going, ([page = '']) => page)]
    .filter(([page]) => page !== OTHER)
    .sort(([page, own], [another, others]) => others.length - own.length || compareText(page, another));
  const listed = named.slice(0, limit).map(([page, own]) => {
    const rest = own.map((path) => path.slice(1));
    return nodeOf(page, rest, paths.length, { steps: steps - 1, limit });
  });
  const names = listed.map(({ value }) => value);
  const others = going.filter(([page = '']) => !names.includes(page)).map((path) => path.slice(1));
  return others.length === 0 ? listed : [...listed, nodeOf(OTHER, others, paths.length, { steps: 0, limit })];
}

export function journeysOf(goals: readonly Goal[], visits: readonly Visit[], asked: Asked): { root: Node } {
  const { from = 'entry', direction, steps = '3', limit = '10' } = asked;
  const goal = goals.find(({ id }) => from === `goal:${id}`);
  const root: Target | undefined = from === 'entry' ? undefined : (goal ?? { type: 'page', value: from });
  const paths = visits.flatMap((visit) => {
    const path = pathOf(visit, root, direction);
    return path ? [path] : [];
  });
  return { root: nodeOf(from, paths, visits.length, { steps: Number(steps), limit: Number(limit) }) };
}
