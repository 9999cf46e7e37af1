// Rows are the lines of a panel: a name, a count, and behind them a bar that shows the count. The longest bar belongs to the
// largest count. A click on a line sets a filter. With Ctrl, Cmd or Shift, the click adds the value to the filter.
//
// ranking.tsx shows `Rows` in panels and dialogs.
// details-table.tsx shows only `Name`, in a table with more figures.

import type { ComponentChildren } from 'preact';
import { isForAnother } from '../filters.ts';
import { number, percent } from '../format.ts';
import { Cut } from '../parts/cut.tsx';
import { Link } from '../parts/link.tsx';
import { plural, t } from '../texts.ts';
import { Emblem, type EmblemOf } from './emblem.tsx';

export type Line = {
  key: string;
  text: string;
  /** The value as stored, if `text` is written in another way. */
  whole?: string;
  emblem?: EmblemOf | undefined;
  /** A text behind the name, in a softer colour. */
  note?: string;
  count: number;
  /** The share in percent. Undefined while it is not known. */
  share?: number | undefined;
  isSelected?: boolean;
  /** The filter has other values and not this one. The line is shown in a paler colour. */
  isBeside?: boolean;
  /** Called on a click. With `isAnother`, the line is selected beside those that are selected already. */
  onSelect?(isAnother: boolean): void;
  /** A URL in the dashboard that says more about the line. */
  to?: string;
  /** The URL of the site's page that the line is about. */
  href?: string;
};

/** Shows lines with their counts. The bar of a line is as long as its count in proportion to the largest count. */
export function Rows({ head, unit, hasShares = false, lines }: Props) {
  const { head: unitHead, one, other } = UNITS[unit];
  const most = Math.max(1, ...lines.map(({ count }) => count));
  return (
    <div class="rows">
      <div class="rows-head">
        <span>{head}</span>
        <span>{t(unitHead)}</span>
        {hasShares ? <span class="rows-share">{t('Share')}</span> : null}
      </div>
      <ol>
        {lines.map((line) => (
          <li
            key={line.key}
            class={`rows-line ${line.isSelected ? 'is-selected' : ''} ${line.isBeside ? 'is-beside' : ''}`}
          >
            <span class="panel-bar" style={{ width: `${(line.count / most) * 100}%` }} />
            <Name {...line} />
            <span class="rows-count">
              {number(line.count)}
              <span class="unseen"> {plural(line.count, one, other)}</span>
            </span>
            {hasShares ? <span class="rows-share">{line.share === undefined ? '' : percent(line.share)}</span> : null}
          </li>
        ))}
      </ol>
    </div>
  );
}

export function Name({ text, whole = text, emblem, note, isSelected = false, onSelect, to, href }: Line) {
  const content = (
    <>
      <Cut text={text} />
      {note ? <span class="panel-note"> {note}</span> : null}
    </>
  );
  const title = [text, ...(whole === text ? [] : [`(${whole})`]), ...(note ? [note] : [])].join(' ');
  return (
    <span class="rows-name">
      {emblem ? <Emblem {...emblem} /> : null}
      {onSelect ? (
        <button
          type="button"
          class="panel-value"
          title={title}
          // A long text is in two elements, so that it can be cut in the middle. Screen readers should read one text.
          aria-label={note ? `${text} ${note}` : text}
          aria-pressed={isSelected}
          onClick={(event) => onSelect(isForAnother(event))}
        >
          {content}
        </button>
      ) : to !== undefined ? (
        <Link href={to} class="panel-value">
          {content}
        </Link>
      ) : (
        <span class="panel-value" title={title}>
          {content}
        </span>
      )}
      {href === undefined ? null : (
        <a class="rows-open" href={href} target="_blank" rel="noopener noreferrer" title={t('Open')}>
          <span class="unseen">{t('Open {name}', { name: text })}</span>
          <svg viewBox="0 0 16 16" width="14" height="14" class="symbol" aria-hidden="true">
            <path d="M6 3.5H3.5v9h9V10M9.5 2.5h4v4M13.5 2.5 7.5 8.5" />
          </svg>
        </a>
      )}
    </span>
  );
}

/** What the lines count. The head shows the word, and screen readers hear it behind each count. */
const UNITS = {
  visitors: { head: 'Visitors', one: 'visitor', other: 'visitors' },
  requests: { head: 'Requests', one: 'request', other: 'requests' },
} as const;
export type Unit = keyof typeof UNITS;

type Props = { head: ComponentChildren; unit: Unit; hasShares?: boolean; lines: readonly Line[] };
