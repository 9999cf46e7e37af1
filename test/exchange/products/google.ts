/** A CSV as Google Analytics 4 exports it: comments, then tables with blank lines between. */
export const reportCsv = (start: string, ...tables: string[][]): string =>
  [
    '# ----------------------------------------',
    '# Reports snapshot',
    '# Account: Bakery',
    '# Property: Bakery, "the website"',
    '# ----------------------------------------',
    '# ',
    '# All Users',
    `# Start date: ${start}`,
    '# End date: 20260131',
    ...tables.flatMap((table) => ['', ...table]),
    '',
  ].join('\n');

/** An exploration (free form) as CSV, with its sum in a row that has a field more than the others. */
export const exploration = (head: string, total: string, ...rows: string[]): string =>
  [
    '# ----------------------------------------',
    '# Bakery',
    '# Free form-Free form 1',
    '# 20260101-20260131',
    '# ----------------------------------------',
    '',
    head,
    `${total},Grand total`,
    ...rows,
    '',
  ].join('\r\n');

/** An answer of runReport. */
export const report = (
  dimensions: string[],
  metrics: string[],
  rows: (string | number)[][],
  rowCount = rows.length,
) => ({
  dimensionHeaders: dimensions.map((name) => ({ name })),
  metricHeaders: metrics.map((name) => ({ name, type: 'TYPE_INTEGER' })),
  rows: rows.map((cells) => ({
    dimensionValues: cells.slice(0, dimensions.length).map((value) => ({ value: `${value}` })),
    metricValues: cells.slice(dimensions.length).map((value) => ({ value: `${value}` })),
  })),
  rowCount,
  metadata: { currencyCode: 'EUR', timeZone: 'Europe/Berlin' },
  kind: 'analyticsData#runReport',
});
