import { useState } from 'preact/hooks';
import type { Breakdown, Row } from '../../../api/answers.ts';
import { get, type Loaded, type Query, useData } from '../../core/api.ts';
import { useSubmit } from '../../ui/form.tsx';
import { MOST_ROWS } from './ranking.tsx';

export type PagedRows = {
  first: Loaded<Breakdown>;
  rows: readonly Row[];
  hasMore: boolean;
  more: ReturnType<typeof useSubmit>;
  addMore(): void;
};

/** A request can skip at most this many rows. The API refuses to skip more. */
const LAST_OFFSET = 100_000;

/** Loads the first rows of a breakdown. More rows are loaded when the user asks for them. */
export function usePagedRows(path: string | undefined, query: Query): PagedRows {
  const first = useData<Breakdown>(path, { ...query, limit: String(MOST_ROWS) }, 0);
  // `of` is the answer with the first rows, and `pages` has the rows that were loaded later. If the first rows are
  // loaded again, the order may have changed. Then `pages` is no longer used.
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

const pageAt = async (path: string, query: Query, offset: number): Promise<Row[]> =>
  (await get<Breakdown>(path, { ...query, limit: String(MOST_ROWS), offset: String(offset) })).rows;

/**
 * Collects the rows for a CSV file: `before`, which are already loaded, and further rows. Rows after the first 100,100
 * are left out, because a request can skip at most `LAST_OFFSET` rows.
 */
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
