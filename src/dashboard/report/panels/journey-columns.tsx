// Draws a journey: a column for each step, and bands between the columns. The first column has only the root, which is
// the start of the journey. The size of a bar and the thickness of a band stand for a number of visits.
//
// A click on a page chooses the page. The next column then shows what visits saw just after this page. If `isBefore` is
// true, the next column shows what visits saw just before this page. Then the columns run from right to left. On a
// phone, the columns stand below each other, without bands.
//
// The Tab key stops at the chosen page of each column. Arrow keys go to the other pages and columns.
//
// Example: the root has 200 visits, and 100 of them saw /shop next. So the band to /shop has half the height of the
// root's bar. journeys.tsx shows `JourneyColumns`.

import type { TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { percent } from '../../core/format.ts';
import { readablePath } from '../../core/readable.ts';
import { plural, t } from '../../core/texts.ts';
import { Cut } from '../../ui/truncated-middle.tsx';
import { type Column, drawBand, type Entry, GAP } from '../model/journey-layout.ts';

type Props = {
  columns: readonly Column[];
  /** The name of the start of the journey, such as the name of a goal. The first column shows it. */
  root: string;
  isBefore: boolean;
  onChoose(level: number, value: string): void;
  /** Resets the choice, so that the pages with the most visits are chosen again. */
  onReset(): void;
  /** Lists more pages in each column. This function is undefined if no more pages can be listed. */
  onMore: (() => void) | undefined;
};

export function JourneyColumns(props: Props) {
  const { columns, isBefore, onChoose } = props;
  const element = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | undefined>(undefined);
  const focus = (place: string): boolean => {
    const found = element.current?.querySelector<HTMLElement>(`[data-place="${place}"]`);
    found?.focus();
    return found !== null && found !== undefined;
  };
  // After a page is chosen, the next column is new. A layout effect moves the focus to this column as soon as it is on
  // the page. An ordinary effect sometimes ran only after the user's next key. Then that key still applied to the old
  // column.
  useLayoutEffect(() => {
    if (wanted.current !== undefined) focus(wanted.current);
    wanted.current = undefined;
  });
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const [level = 0, index = 0] = (document.activeElement as HTMLElement).dataset.place?.split('-').map(Number) ?? [];
    const further = isBefore ? 'ArrowLeft' : 'ArrowRight';
    const back = isBefore ? 'ArrowRight' : 'ArrowLeft';
    if (![further, back, 'ArrowUp', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    if (event.key === 'ArrowUp') focus(`${level}-${index - 1}`);
    if (event.key === 'ArrowDown') focus(`${level}-${index + 1}`);
    if (event.key === back) focus(`${level - 1}-${findStop(columns[level - 1])}`);
    const entry = columns[level]?.entries[index];
    if (event.key !== further || !entry || !isChoosable(entry)) return;
    if (entry.isChosen) focus(`${level + 1}-${findStop(columns[level + 1])}`);
    else {
      wanted.current = `${level + 1}-0`;
      onChoose(level - 1, entry.value);
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: Biome suggests a fieldset, but this is no form
    <div
      ref={element}
      role="group"
      aria-label={t('Pages by step')}
      class={`journey-columns ${isBefore ? 'is-before' : ''}`}
      onKeyDown={onKeyDown}
    >
      {columns.map((column, level) => (
        <Step key={level} {...props} column={column} level={level} />
      ))}
    </div>
  );
}

/** Styles that do not depend on the size of the window. Styles that depend on it are in journey-columns.css. */
const BANDS = { flex: '1 0 2.5rem', marginTop: 'calc(var(--space-5) + var(--space-2))', fill: 'var(--bar)' };
const PLACE = {
  ...{ position: 'relative', isolation: 'isolate', display: 'flex', alignItems: 'start' },
  ...{ justifyContent: 'flex-start', gap: 'var(--space-2)', width: '100%', border: 0, borderRadius: 0 },
} as const;

const isChoosable = ({ kind }: Entry): boolean => kind === 'page' || kind === 'root';

/** Finds the index of the column's entry that the Tab key reaches: the chosen entry, or else the first entry. */
const findStop = (column: Column | undefined): number =>
  Math.max(0, column?.entries.findIndex(({ isChosen }) => isChosen) ?? 0);

function Step({ column, level, columns, isBefore, ...props }: Props & { column: Column; level: number }) {
  const before = columns[level - 1];
  const height = Math.max(column.height, before?.height ?? 0);
  const stop = findStop(column);
  return (
    <>
      {before && (
        <svg
          class="journey-columns-bands"
          viewBox={`0 0 100 ${Math.ceil(height)}`}
          preserveAspectRatio="none"
          style={{ ...BANDS, height: `${Math.ceil(height)}px` }}
          aria-hidden="true"
        >
          {column.bands.map((band, i) => (
            <path
              key={i}
              style={{ fill: band.isEnded ? 'var(--bad-soft)' : band.isChosen ? 'var(--accent-soft)' : '' }}
              d={drawBand(band)}
            />
          ))}
        </svg>
      )}
      <div class="journey-columns-step">
        <p class="soft small">{level === 0 ? t('Start') : t('Step {number}', { number: level })}</p>
        <ol>
          {column.entries.map((entry, i) => (
            <li key={`${entry.kind} ${entry.value}`} style={{ '--place': `${entry.place + GAP}px` }}>
              <Place entry={entry} place={`${level}-${i}`} isStop={i === stop} {...{ level, isBefore, ...props }} />
            </li>
          ))}
        </ol>
      </div>
    </>
  );
}

type PlaceProps = Omit<Props, 'columns'> & { entry: Entry; place: string; level: number; isStop: boolean };

function Place({ entry, place, level, isStop, root, isBefore, onChoose, onReset, onMore }: PlaceProps) {
  const { kind, value, visits, share, bar, isChosen } = entry;
  const name = nameEntry(entry, root, isBefore);
  const figures = (
    <>
      <span class="journey-columns-bar" />
      <span style={{ display: 'grid', minWidth: 0, lineHeight: 1.3 }}>
        <span class="panel-value" title={name}>
          <Cut text={name} />
        </span>
        <span class="soft small">
          {plural(visits, '{count} visit', '{count} visits')} · {percent(share)}
        </span>
      </span>
    </>
  );
  const act = { root: onReset, page: () => onChoose(level - 1, value), other: onMore, ended: undefined }[kind];
  return (
    <button
      type="button"
      class={`journey-columns-place ${isChosen ? 'is-chosen' : ''}`}
      style={{ ...PLACE, '--bar-height': `${bar}px`, '--share': `${share}%` }}
      data-place={place}
      tabIndex={isStop ? 0 : -1}
      aria-disabled={act === undefined}
      {...(kind === 'page' && { 'aria-pressed': isChosen })}
      onClick={act}
    >
      {figures}
    </button>
  );
}

export function nameEntry({ kind, value }: Pick<Entry, 'kind' | 'value'>, root: string, isBefore: boolean): string {
  if (kind === 'root') return root;
  if (kind === 'other') return t('Other pages');
  if (kind === 'ended') return isBefore ? t('Began here') : t('Ended here');
  return readablePath(value);
}
