// A ranking shows the first ten lines of a panel, the largest count first. The other lines are in a dialog with a search.
// `onDetails` opens a dialog with more figures in its place. All lines can be downloaded as a CSV file. breakdown.tsx,
// crawlers.tsx and assistants.tsx use it.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Empty } from '../parts/empty.tsx';
import { t } from '../texts.ts';
import { type CsvFile, Download } from './download.tsx';
import { type Line, Rows, type Unit } from './rows.tsx';

/** The number of rows in the panel. A dialog shows the others. */
const FIRST_ROWS = 10;
/** The number of rows that the API gives in one answer. */
export const MOST_ROWS = 100;

type Props = {
  title: string;
  /** The heading of the first column, such as "Country". */
  heading: string;
  /** A choice above the lines, in place of the heading. */
  head?: ComponentChildren;
  /** What the lines count, such as visitors. */
  unit: Unit;
  hasShares?: boolean;
  lines: readonly Line[];
  file: CsvFile;
  /** The title of a ranking without lines, and a hint what to do about it. */
  none: string;
  hint?: string | undefined;
  /** Opens a dialog with more figures than the lines have. */
  onDetails?(): void;
};

/** Shows the first rows, a button for all of them, and a download. */
export function Ranking(props: Props) {
  const { title, heading, head = heading, unit, hasShares = false, lines, file, none, hint, onDetails } = props;
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
                aria-label={t('More of {title}', { title })}
                onClick={() => setOpen(true)}
              >
                {t('More')}
              </button>
            ) : null}
            <Download file={file} title={title} />
          </footer>
        </>
      )}
      {isOpen ? <AllRows {...props} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

function AllRows({ title, heading, unit, hasShares = false, lines, file, onClose }: Props & { onClose(): void }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const matches = lines.filter(({ text, note = '' }) => `${text} ${note}`.toLowerCase().includes(wanted));
  const closingOnSelect = ({ onSelect, ...line }: Line): Line => {
    if (!onSelect) return line;
    return {
      ...line,
      onSelect(isAnother) {
        onClose();
        onSelect(isAnother);
      },
    };
  };
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
          <Empty title={t('Nothing with “{search}”', { search: search.trim() })} />
        )}
      </div>
      {lines.length === MOST_ROWS ? (
        <p class="soft small">{t('These are the first {count}.', { count: MOST_ROWS })}</p>
      ) : null}
    </Dialog>
  );
}
