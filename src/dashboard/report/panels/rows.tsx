// Rows are the lines of a panel. A line has a name, a count, and a bar in the background. The line with the largest count has
// the longest bar. A click on a line sets a filter. With Ctrl, Cmd or Shift, the click adds the value to the filter.
//
// ranking.tsx shows `Rows` in panels and dialogs.
// details-table.tsx shows only `Name`, in a table with more figures.

import type { ComponentChildren } from 'preact';
import { isForAnother } from '../../core/filters.ts';
import { number, percent } from '../../core/format.ts';
import { plural, t } from '../../core/texts.ts';
import { Link } from '../../ui/link.tsx';
import { Cut } from '../../ui/truncated-middle.tsx';
import { Emblem, type EmblemOf } from './icon.tsx';

export type Line = {
  key: string;
  text: string;
  /** The stored value, if `text` is written in another way. */
  whole?: string;
  emblem?: EmblemOf | undefined;
  /** A text behind the name, in a softer colour. */
  note?: string;
  count: number;
  /** The share in percent. Undefined while the share is not known. */
  share?: number | undefined;
  isSelected?: boolean;
  /** True if the filter has values, but not the value of this line. The line then has a paler colour. */
  isBeside?: boolean;
  /** With `isAnother`, the lines that are already selected stay selected. */
  onSelect?(isAnother: boolean): void;
  /** A URL in the dashboard that says more about the line. */
  to?: string;
  /** The URL of the page on the site that the line is about. */
  href?: string;
};

/** Shows lines with bars. The line with the largest count has the longest bar. The other bars are in proportion. */
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
          // Two elements show a long text, so that its middle can be cut. Screen readers should read it as one text.
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

/** What the lines count. `head` is shown above the counts. Screen readers read `one` or `other` after each count. */
const UNITS = {
  visitors: { head: 'Visitors', one: 'visitor', other: 'visitors' },
  requests: { head: 'Requests', one: 'request', other: 'requests' },
} as const;
export type Unit = keyof typeof UNITS;

type Props = { head: ComponentChildren; unit: Unit; hasShares?: boolean; lines: readonly Line[] };
