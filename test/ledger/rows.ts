import { emptyRows, type ImportedRows } from '../../src/engine/import-content.ts';

/** Pageviews of as many visitors on one page, as an import holds them. */
export function rowsOf(count: number, { visitor = 1_000, page = 1 } = {}): ImportedRows {
  const rows = emptyRows(count);
  for (let i = 0; i < count; i++) {
    rows.second[i] = i % 40_000;
    rows.visitor[i] = visitor + i;
    rows.engaged[i] = -1;
    rows.terms.page[i] = page;
  }
  rows.count = count;
  return rows;
}
