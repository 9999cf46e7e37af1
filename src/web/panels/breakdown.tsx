import type { ComponentChildren } from 'preact';
import type { Breakdown, Row } from '../../api/stats.ts';
import { shareOf } from '../../lib/percent.ts';
import { changeView, reportQuery, sitePath, type View } from '../address.ts';
import { useData } from '../api.ts';
import { Answer } from '../parts/states.tsx';
import { fileName } from './csv.ts';
import { MOST, Ranking } from './ranking.tsx';
import type { Line } from './rows.tsx';
import { shownIn, type Table } from './tables.ts';
import { isFilter, toggled } from './toggle-filter.ts';

export type Asked = { domain: string; view: View; visitors: number | undefined };

/** What of a table can be pressed: a row, to be filtered by its value. */
export function chooserOf({ filter }: Table, { filters }: View, value: string): Pick<Line, 'isOn' | 'choose'> {
  if (!filter || !isFilter(filter, value)) return {};
  return { isOn: filters[filter] === value, choose: () => changeView({ filters: toggled(filters, filter, value) }) };
}

function lineOf(table: Table, { domain, view, visitors }: Asked, { value, visitors: count }: Row): Line {
  return {
    key: value,
    text: shownIn(table, value),
    count,
    share: visitors ? shareOf(count, visitors) : undefined,
    ...chooserOf(table, view, value),
    ...(table.isPage && value.startsWith('/') ? { href: `https://${domain}${value}` } : {}),
  };
}

export const useBreakdown = (domain: string, id: string, view: View, event?: string) =>
  useData<Breakdown>(sitePath(domain, `/stats/breakdown/${id}`), {
    ...reportQuery(view),
    ...(event === undefined ? {} : { event }),
    limit: String(MOST),
  });

type Props = Asked & {
  of: ReturnType<typeof useBreakdown>;
  table: Table;
  title: string;
  head?: ComponentChildren;
};

/** The rows of a breakdown, which are shown by their share of all visitors. */
export function BreakdownRows({ of, table, title, head, ...asked }: Props) {
  return (
    <Answer of={of} lines={8}>
      {({ from, to, rows }) => (
        <Ranking
          title={title}
          word={table.word}
          head={head}
          unit="Visitors"
          hasShares
          lines={rows.map((row) => lineOf(table, asked, row))}
          file={{
            name: fileName(asked.domain, table.id, { from, to }),
            rows: () => [
              [table.word, 'Visitors'],
              ...rows.map(({ value, visitors }) => [shownIn(table, value), visitors]),
            ],
          }}
          none={table.none}
          hint={table.hint}
        />
      )}
    </Answer>
  );
}
