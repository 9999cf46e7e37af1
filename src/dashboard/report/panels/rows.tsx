// The lines of a panel. A line has a name, a count, and a bar in the background. The line with the largest count has
// the longest bar. A click on a line sets a filter with the value of the line. With Ctrl, Cmd or Shift, the click adds
// the value to the filter. A small button, or the key "-", filters out the visits with this value.
//
// ranking.tsx shows `Rows` in panels and dialogs. details-table.tsx shows only `Name`, in a table with more figures.

import type { ComponentChildren } from 'preact';
import { isForAnother, type Selection } from '../../core/filters.ts';
import { number, percent } from '../../core/format.ts';
import { plural, t } from '../../core/texts.ts';
import { Link } from '../../ui/link.tsx';
import { Cut } from '../../ui/truncated-middle.tsx';
import type { Trend } from '../model/trend.ts';
import { Emblem, type EmblemOf } from './icon.tsx';

export type Line = Selection & {
  key: string;
  text: string;
  /** The text as in CSV files, if `text` is a more readable form of it, such as /café for /caf%C3%A9. */
  whole?: string;
  emblem?: EmblemOf | undefined;
  /** A text after the name, in a softer colour. */
  note?: string;
  count: number;
  /** How often the value was counted, for example how often an event was sent. This figure has its own column. */
  times?: number;
  /** How the count changed since the comparison period. */
  trend?: Trend | undefined;
  /** Explains the change in a dialog. If the line is a site, `whyTo` is the URL of this dialog instead. */
  onWhy?: (() => void) | undefined;
  whyTo?: string | undefined;
  /** The share in percent, or undefined if it is not known or the line has none (breakdown.tsx). */
  share?: number | undefined;
  /** Shows more about this line in place of the panel's lines, such as the values of a property. */
  onOpen?(): void;
  /** The URL to which the line leads in the dashboard, such as the report of a site. */
  to?: string;
  /** The URL of the page on the website that this line counts. */
  href?: string;
  /** Opens the page "Explore", to break the visits of this line down by another dimension. */
  onExplore?: (() => void) | undefined;
  /** Shows the journeys that start at the page of this line. */
  onJourney?(): void;
};

export function Rows({ head, unit, hasShares = false, lines }: Props) {
  const { head: unitHead, one, other } = UNITS[unit];
  const most = Math.max(1, ...lines.map(({ count }) => count));
  const hasTrends = lines.some(({ trend }) => trend !== undefined);
  const hasTimes = lines.some(({ times }) => times !== undefined);
  return (
    <div class={`rows ${hasTrends ? 'is-compared' : ''} ${hasTimes ? 'is-counted' : ''}`}>
      <div class="rows-head">
        <span>{head}</span>
        <span>{t(unitHead)}</span>
        {hasTrends ? <span class="rows-trend">{t('Change')}</span> : null}
        {hasTimes ? <span class="rows-times">{t('Occurrences')}</span> : null}
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
            {hasTrends ? <TrendCell {...line} /> : null}
            {hasTimes ? <span class="rows-times">{line.times === undefined ? '' : number(line.times)}</span> : null}
            {hasShares ? <span class="rows-share">{line.share === undefined ? '' : percent(line.share)}</span> : null}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Shows how the count changed. The tooltip is a sentence that also names the comparison period. */
const TrendCell = ({ trend, ...why }: WhyProps & Pick<Line, 'trend'>) => (
  <span class={`rows-trend ${trend?.kind ?? ''}`} title={trend?.sentence}>
    <WhyTrend trend={trend} {...why} />
  </span>
);

type WhyProps = Pick<Line, 'onWhy' | 'whyTo'> & { tabIndex?: number };

/**
 * Shows how the count changed. A click explains the change. The Tab key skips the button, as it skips the small buttons
 * of a line. A table without the key "e" sets `tabIndex` to 0 instead.
 */
export function WhyTrend({ trend, onWhy, whyTo, tabIndex = -1 }: WhyProps & Pick<Line, 'trend'>) {
  if (!trend || (!onWhy && whyTo === undefined)) return <TrendText trend={trend} />;
  const content = (
    <>
      <TrendText trend={trend} />
      <span class="unseen"> {t('Why?')}</span>
    </>
  );
  return whyTo === undefined ? (
    <button type="button" class="rows-why" tabIndex={tabIndex} aria-haspopup="dialog" onClick={() => onWhy?.()}>
      {content}
    </button>
  ) : (
    <Link href={whyTo} class="rows-why">
      {content}
    </Link>
  );
}

const TrendText = ({ trend }: { trend: Trend | undefined }) =>
  trend ? (
    <>
      <span aria-hidden="true">
        {trend.sign} {trend.text}
      </span>
      <span class="unseen"> {trend.sentence}</span>
    </>
  ) : null;

/**
 * The keys for the line that has the focus: "-" leaves its visits out, "b" breaks them down, and "e" explains their
 * change.
 */
const OUT_KEY = '-';
export const EXPLORE_KEY = 'b';
const WHY_KEY = 'e';

export function Name({
  text,
  whole = text,
  emblem,
  note,
  isSelected = false,
  onSelect,
  onFilterOut,
  onExplore,
  onWhy,
  onOpen,
  to,
  href,
  onJourney,
}: Line) {
  const content = (
    <>
      <Cut text={text} />
      {note ? <span class="panel-note"> {note}</span> : null}
    </>
  );
  const onKeyDown = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    if (key === OUT_KEY) onFilterOut?.();
    if (ctrlKey || metaKey || altKey) return;
    if (key === EXPLORE_KEY) onExplore?.();
    if (key === WHY_KEY) onWhy?.();
  };
  const keys = [onFilterOut && OUT_KEY, onExplore && EXPLORE_KEY, onWhy && WHY_KEY].filter(Boolean).join(' ');
  const title = [text, ...(whole === text ? [] : [`(${whole})`]), ...(note ? [note] : [])].join(' ');
  return (
    <span class="rows-name">
      {emblem ? <Emblem {...emblem} /> : null}
      {onSelect ? (
        <button
          type="button"
          class="panel-value"
          title={title}
          // A long text is in two elements, so that its middle can be cut. With this label, screen readers still read
          // one text.
          aria-label={note ? `${text} ${note}` : text}
          aria-pressed={isSelected}
          aria-keyshortcuts={keys || undefined}
          onClick={(event) => onSelect(isForAnother(event))}
          onKeyDown={onKeyDown}
        >
          {content}
        </button>
      ) : onOpen ? (
        <button
          type="button"
          class="panel-value"
          title={title}
          aria-label={text}
          aria-keyshortcuts={onExplore && EXPLORE_KEY}
          onClick={() => onOpen()}
          onKeyDown={onKeyDown}
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
      {onFilterOut && (
        <SmallButton
          label={t('Filter out')}
          title={t('Filter out {name}', { name: text })}
          drawing="M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11zM5.5 8h5"
          onClick={onFilterOut}
        />
      )}
      {onExplore && <ExploreButton onClick={onExplore} />}
      {onJourney && <JourneyButton onClick={onJourney} />}
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

type SmallProps = { label: string; title?: string; drawing: string; onClick(): void };

/**
 * A small button at the end of a name, such as "Filter out". The Tab key skips these buttons, so that users reach the
 * next line sooner. With a keyboard, users press "-" to filter out the visits of a line, or "b" to break them down. No
 * key shows the journeys of a page, because the panel of journeys has a form for that.
 */
const SmallButton = ({ label, title = label, drawing, onClick }: SmallProps) => (
  <button type="button" class="rows-out" tabIndex={-1} aria-label={label} title={title} onClick={() => onClick()}>
    <svg viewBox="0 0 16 16" width="14" height="14" class="symbol" aria-hidden="true">
      <path d={drawing} />
    </svg>
  </button>
);

export const JourneyButton = ({ onClick }: { onClick(): void }) => (
  <SmallButton label={t('Journeys from here')} drawing="M2.5 8h4l6-4.5M6.5 8l6 4.5" onClick={onClick} />
);

export const ExploreButton = ({ onClick }: { onClick(): void }) => (
  <SmallButton
    label={t('Break down by …')}
    drawing="M3 2.5v10h3M3 6.5h3M8.5 6.5h5M8.5 12.5h5M3 2.5h10.5"
    onClick={onClick}
  />
);

/** What the lines count. `head` is shown above the counts. Screen readers read `one` or `other` after each count. */
const UNITS = {
  visitors: { head: 'Visitors', one: 'visitor', other: 'visitors' },
  requests: { head: 'Requests', one: 'request', other: 'requests' },
} as const;
export type Unit = keyof typeof UNITS;

type Props = { head: ComponentChildren; unit: Unit; hasShares?: boolean; lines: readonly Line[] };
