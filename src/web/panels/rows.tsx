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
  /** The text as it is kept, where it is shown in another way. */
  whole?: string;
  emblem?: EmblemOf | undefined;
  /** More about it, in a softer colour behind the text. */
  note?: string;
  count: number;
  /** In percent; undefined while it is not known. */
  share?: number | undefined;
  isSelected?: boolean;
  /** Others are selected, and it is not. */
  isBeside?: boolean;
  /** `isAnother` asks for it beside those that are selected. */
  onSelect?(isAnother: boolean): void;
  /** Where in the dashboard there is more about it. */
  to?: string;
  /** The address of the page that the line is about. */
  href?: string;
};

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
          // The parts of a text that is cut would be read as two.
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

/** What lines count: in the head, and behind each count for screen readers. */
const UNITS = {
  visitors: { head: 'Visitors', one: 'visitor', other: 'visitors' },
  requests: { head: 'Requests', one: 'request', other: 'requests' },
} as const;
export type Unit = keyof typeof UNITS;

type Props = { head: ComponentChildren; unit: Unit; hasShares?: boolean; lines: readonly Line[] };

/** Lines with their counts; the bar behind each is its part of the largest count. */
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
