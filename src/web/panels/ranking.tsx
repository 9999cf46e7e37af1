import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Empty } from '../parts/states.tsx';
import { Download, type File } from './download.tsx';
import { type Line, Rows } from './rows.tsx';

const TOP = 10;
/** As many as the API gives. */
export const MOST = 100;

type Props = {
  title: string;
  /** What a line is. */
  word: string;
  /** In place of the word, where something is to be chosen above the lines. */
  head?: ComponentChildren;
  unit: string;
  hasShares?: boolean;
  lines: readonly Line[];
  file: File;
  none: string;
  hint?: string | undefined;
};

function All({ title, word, unit, hasShares = false, lines, file, onClose }: Props & { onClose(): void }) {
  const [typed, type] = useState('');
  const sought = typed.trim().toLowerCase();
  const found = lines.filter(({ text, note = '' }) => `${text} ${note}`.toLowerCase().includes(sought));
  const closing = ({ choose, ...line }: Line): Line => {
    if (!choose) return line;
    return {
      ...line,
      choose() {
        onClose();
        choose();
      },
    };
  };
  return (
    <Dialog title={title} onClose={onClose} wide>
      <div class="search">
        <input
          type="search"
          autofocus
          aria-label={`Search ${title}`}
          placeholder="Search"
          value={typed}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
        <Download of={file} title={title} />
      </div>
      <div class="all">
        {found.length > 0 ? (
          <Rows head={word} unit={unit} hasShares={hasShares} lines={found.map(closing)} />
        ) : (
          <Empty title={`Nothing with “${typed.trim()}”`} />
        )}
      </div>
      {lines.length === MOST ? <p class="soft small">These are the first {MOST}.</p> : null}
    </Dialog>
  );
}

/** The first ten, and on demand all of them, as a table to look through or as a file. */
export function Ranking(props: Props) {
  const { title, word, head = word, unit, hasShares = false, lines, file, none, hint } = props;
  const [isOpen, open] = useState(false);
  return (
    <div class="ranking">
      {lines.length === 0 && head !== word ? <div class="heads">{head}</div> : null}
      {lines.length === 0 ? (
        <Empty title={none}>{hint ? <p>{hint}</p> : null}</Empty>
      ) : (
        <>
          <Rows head={head} unit={unit} hasShares={hasShares} lines={lines.slice(0, TOP)} />
          <footer>
            {lines.length > TOP ? (
              <button type="button" class="plain" aria-label={`More of ${title}`} onClick={() => open(true)}>
                More
              </button>
            ) : null}
            <Download of={file} title={title} />
          </footer>
        </>
      )}
      {isOpen ? <All {...props} onClose={() => open(false)} /> : null}
    </div>
  );
}
