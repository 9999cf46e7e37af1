// The first ten lines of a panel, sorted by their count. A button opens a dialog with all lines and a search. If
// `onDetails` is given, the button opens the dialog with details instead. All lines can be downloaded as a CSV file.
// breakdown.tsx, crawlers.tsx and assistants.tsx show `Ranking`.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../core/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { type CsvFile, Download } from '../details/download.tsx';
import { type Line, Rows, type Unit } from './rows.tsx';

/** The number of lines in a panel. The dialog shows all lines. */
const FIRST_ROWS = 10;
/** The API returns at most this many rows of a breakdown. The dialog with details requests further rows. */
export const MOST_ROWS = 100;

type Props = {
  title: string;
  /** The heading of the first column, such as "Country". */
  heading: string;
  /** A field that is shown in place of the heading, such as the choice of an event. */
  head?: ComponentChildren;
  unit: Unit;
  hasShares?: boolean;
  lines: readonly Line[];
  file: CsvFile;
  /** The title of the message that replaces the lines if there are none. `hint` says what the user can do then. */
  none: string;
  hint?: string | undefined;
  /** Opens a dialog that has more figures than the lines. */
  onDetails?(): void;
  /** Opens the page "Explore", to break these lines down by another dimension. */
  onExplore?: (() => void) | undefined;
};

export function Ranking(props: Props) {
  const {
    title,
    heading,
    head = heading,
    unit,
    hasShares = false,
    lines,
    file,
    none,
    hint,
    onDetails,
    onExplore,
  } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      {lines.length === 0 && head !== heading ? <div>{head}</div> : null}
      {lines.length === 0 ? (
        <Empty title={none}>{hint ? <p>{hint}</p> : null}</Empty>
      ) : (
        <>
          <Rows head={head} unit={unit} hasShares={hasShares} lines={lines.slice(0, FIRST_ROWS)} />
          <footer class="panel-foot">
            {onDetails ? (
              <button type="button" class="plain" aria-label={t('Details of {title}', { title })} onClick={onDetails}>
                {t('Details')}
              </button>
            ) : lines.length > FIRST_ROWS ? (
              <button
                type="button"
                class="plain"
                aria-label={t('More rows of {title}', { title })}
                onClick={() => setOpen(true)}
              >
                {t('More')}
              </button>
            ) : null}
            <BreakDown title={title} onExplore={onExplore} />
            <Download file={file} title={title} />
          </footer>
        </>
      )}
      {isOpen ? <AllRows {...props} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

/**
 * The button of a panel that breaks its lines down on the page "Explore". The button is missing if the user may not use
 * this page.
 */
export const BreakDown = ({ title, onExplore }: Pick<Props, 'title' | 'onExplore'>) =>
  onExplore ? (
    <button type="button" class="plain" aria-label={`${title}: ${t('Break down by …')}`} onClick={onExplore}>
      {t('Break down by …')}
    </button>
  ) : null;

function AllRows({ title, heading, unit, hasShares = false, lines, file, onClose }: Props & { onClose(): void }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const matches = lines.filter(({ text, note = '' }) => `${text} ${note}`.toLowerCase().includes(wanted));
  const closingOnSelect = ({ onSelect, onFilterOut, ...line }: Line): Line => ({
    ...line,
    ...(onSelect && {
      onSelect(isAnother) {
        onClose();
        onSelect(isAnother);
      },
    }),
    ...(onFilterOut && {
      onFilterOut() {
        onClose();
        onFilterOut();
      },
    }),
  });
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <div class="ranking-search">
        <input
          type="search"
          autofocus
          aria-label={t('Search {title}', { title })}
          placeholder={t('Search')}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <Download file={file} title={title} />
      </div>
      <div class="ranking-all">
        {matches.length > 0 ? (
          <Rows head={heading} unit={unit} hasShares={hasShares} lines={matches.map(closingOnSelect)} />
        ) : (
          <Empty title={t('No results for “{search}”', { search: search.trim() })} />
        )}
      </div>
      {lines.length === MOST_ROWS ? (
        <p class="soft small">{t('Only the first {count} rows are shown.', { count: MOST_ROWS })}</p>
      ) : null}
    </Dialog>
  );
}
