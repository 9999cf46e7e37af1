// Places a journey in columns, without any HTML. The first column has the start of the journey, which is the root. Each
// further column has the pages that visits saw just after the chosen page of the column before it. With the direction
// `before`, it has the pages that visits saw just before the chosen page.
//
// Each page in a column is an entry, which has a bar. A band leads to this bar from the chosen page of the column
// before it. A column may also have an entry for visits that ended, and an entry for all pages that are not listed.
//
// Invariant: all heights have one scale. The heights of a page's bar and band show the page's share of the root's
// visits.
//
// Example: 200 visits saw /. 100 of them saw /shop next, so the bar of /shop is half as high as the root's bar. A page
// with few visits has a thin bar, but always enough room for its name.
//
// journey-columns.tsx draws the columns.

import type { Journeys } from '../../../api/journeys.ts';
import { OTHER } from '../../../stats/dimensions.ts';

export type Node = Journeys['root'];

/**
 * An entry of a column. The kind `ended` stands for visits that saw no further page. With the direction `before`, these
 * visits saw no earlier page. The kind `other` stands for the pages that are not listed.
 */
export type Entry = {
  kind: 'root' | 'page' | 'other' | 'ended';
  value: string;
  visits: number;
  share: number;
  ended: number;
  isChosen: boolean;
  /** In pixels: where the entry begins in its column, and the heights of its bar and of the whole entry. */
  top: number;
  bar: number;
  place: number;
};

/**
 * A band leads from the bar of the chosen page to the bar of an entry in the next column. `from` and `to` are the tops
 * of the band's two ends, in pixels from the top of the columns. `width` is the thickness of the band.
 */
export type Band = { from: number; to: number; width: number; isChosen: boolean; isEnded: boolean };
export type Column = { entries: Entry[]; bands: Band[]; height: number };

const FULL = 240;
const LEAST_BAR = 2;
const LEAST_PLACE = 42;
/** The gap below an entry, in pixels. The height of an entry in journey-columns.css leaves out this gap, as `6px`. */
export const GAP = 6;

/**
 * Lists the columns along a path of chosen pages. The path may have no page for a column, or a page that the column
 * lacks. Then the page with the most visits is chosen.
 */
export function layOut(root: Node, path: readonly string[]): Column[] {
  const scale = root.visits === 0 ? 0 : FULL / root.visits;
  const columns = [placeColumn([{ ...root, kind: 'root', isChosen: true }], scale)];
  for (let node: Node | undefined = root, level = 0; node && node.next.length > 0; level++) {
    const { next, ended, visits }: Node = node;
    const chosen: Node | undefined =
      next.find(({ value }) => value === path[level] && value !== OTHER) ?? findFirst(next);
    const share = visits === 0 ? 0 : (ended * 100) / visits;
    const entries: Asked[] = [
      ...next.map(
        (one): Asked => ({
          ...one,
          kind: one.value === OTHER ? 'other' : 'page',
          isChosen: one === chosen,
        }),
      ),
      ...(ended > 0 ? [{ kind: 'ended' as const, value: '', visits: ended, share, ended, isChosen: false }] : []),
    ];
    const from = columns.at(-1)?.entries.find(({ isChosen }) => isChosen)?.top ?? 0;
    columns.push(withBands(placeColumn(entries, scale), from, scale));
    node = chosen;
  }
  return columns;
}

type Asked = Pick<Entry, 'kind' | 'value' | 'visits' | 'share' | 'ended' | 'isChosen'>;

const findFirst = (next: readonly Node[]): Node | undefined => next.find(({ value }) => value !== OTHER);

function placeColumn(asked: readonly Asked[], scale: number): Column {
  let top = 0;
  const entries = asked.map(({ kind, value, visits, share, ended, isChosen }): Entry => {
    const bar = Math.max(LEAST_BAR, visits * scale);
    const place = Math.max(LEAST_PLACE, bar);
    const entry = { kind, value, visits, share, ended, isChosen, top, bar, place };
    top += place + GAP;
    return entry;
  });
  return { entries, bands: [], height: Math.max(0, top - GAP) };
}

/** Makes the bands of a column. The bands start one below the other, at the chosen bar of the column before. */
function withBands({ entries, height }: Column, start: number, scale: number): Column {
  let from = start;
  const bands = entries.map(({ top, bar, visits, isChosen, kind }): Band => {
    const band = { from, to: top, width: bar, isChosen, isEnded: kind === 'ended' };
    from += visits * scale;
    return band;
  });
  return { entries, bands, height };
}

/** Writes a band as a path of an SVG that is 100 wide. */
export const drawBand = ({ from, to, width }: Band): string =>
  `M0 ${round(from)}C50 ${round(from)} 50 ${round(to)} 100 ${round(to)}v${round(width)}C50 ${round(to + width)} 50 ${round(from + width)} 0 ${round(from + width)}z`;

const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** Lists the nodes of a journey for a CSV file. `way` has the names of the nodes from the root to `node`. */
export function listNodes(root: Node): { step: number; way: string[]; node: Node }[] {
  const walk = (node: Node, way: string[]): { step: number; way: string[]; node: Node }[] => [
    { step: way.length, way: [...way, node.value], node },
    ...node.next.flatMap((next) => walk(next, [...way, node.value])),
  ];
  return walk(root, []);
}
