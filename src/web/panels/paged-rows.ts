import { useState } from 'preact/hooks';
import type { Breakdown, Row } from '../../api/answers.ts';
import { get, type Loaded, type Query, useData } from '../api.ts';
import { useSubmit } from '../parts/form.tsx';
import { MOST_ROWS } from './ranking.tsx';

export type PagedRows = {
  /** The first rows, and whatever else the answer says. */
  first: Loaded<Breakdown>;
  rows: readonly Row[];
  hasMore: boolean;
  more: ReturnType<typeof useSubmit>;
  addMore(): void;
};

/** The API goes no further. */
const LAST_OFFSET = 100_000;

const pageAt = async (path: string, query: Query, offset: number): Promise<Row[]> =>
  (await get<Breakdown>(path, { ...query, limit: String(MOST_ROWS), offset: String(offset) })).rows;

/** These rows and all behind them, for a file. */
export async function allRows(path: string, query: Query, before: readonly Row[]): Promise<readonly Row[]> {
  const rows = [...before];
  let isFull = rows.length > 0 && rows.length % MOST_ROWS === 0;
  while (isFull && rows.length <= LAST_OFFSET) {
    const next = await pageAt(path, query, rows.length);
    rows.push(...next);
    isFull = next.length === MOST_ROWS;
  }
  return rows;
}

/** The rows of a breakdown, as many as one request gives, and on demand those behind them. */
export function usePagedRows(path: string | undefined, query: Query): PagedRows {
  const first = useData<Breakdown>(path, { ...query, limit: String(MOST_ROWS) }, 0);
  // They belong to one answer, and go with it.
  const [further, setFurther] = useState<{ of: Breakdown; pages: readonly Row[][] }>();
  const more = useSubmit();
  const { data } = first;
  const pages = data ? [data.rows, ...(further?.of === data ? further.pages : [])] : [];
  const rows = pages.flat();
  const addMore = () => {
    if (path === undefined || data === undefined) return;
    void more.run(async () => {
      const next = await pageAt(path, query, rows.length);
      setFurther({ of: data, pages: [...pages.slice(1), next] });
    });
  };
  return { first, rows, hasMore: pages.at(-1)?.length === MOST_ROWS, more, addMore };
}
