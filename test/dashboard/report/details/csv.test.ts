import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvOf, fileName } from '../../../../src/dashboard/report/details/csv.ts';

const MARK = '\ufeff';

/** What RFC 4180 says that a file means. */
function read(text: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const row: string[] = [];
    for (let isMore = true; isMore; ) {
      const [written = '', quoted, plain = ''] = /"((?:[^"]|"")*)"|([^",\r\n]*)/y.exec(text.slice(at)) ?? [];
      row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      at += written.length;
      isMore = text[at] === ',';
      if (isMore) at += 1;
    }
    assert.equal(text.slice(at, at + 2), '\r\n', `a row ends at ${at}`);
    at += 2;
    rows.push(row);
  }
  return rows;
}

const harmless = (cell: string | number): string => {
  if (typeof cell === 'number') return String(cell);
  const inside = cell.replaceAll(/([;\t][\s"]*)(?=[=+\-@＝＋－＠])/g, "$1'");
  return /^'*[=+\-@＝＋－＠\t\r]/.test(inside) ? `'${inside}` : inside;
};

test('what is written is read again as it was', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠\t\r\n",;\' a') }),
  );
  const rows = fc.array(fc.array(fc.oneof(text, fc.nat()), { minLength: 1, maxLength: 4 }));
  fc.assert(
    fc.property(rows, (table) => {
      const file = csvOf(table);
      assert.ok(file.startsWith(MARK));
      assert.deepEqual(
        read(file.slice(1)),
        table.map((row) => row.map(harmless)),
      );
    }),
  );
});

test('no cell has a formula if a spreadsheet splits it at semicolons or tabs', () => {
  const attacks = ['a;=1+1;b', 'a; +1', 'a;"=1+1"', 'a\t-1', 'a;;@x', ';＝1'];
  const file = csvOf(attacks.map((text) => ['/', text]));
  for (const cell of file.split(/[;\t\r\n,]/)) assert.doesNotMatch(cell, /^[\s"]*[=+\-@＝＋－＠]/, cell);
  assert.equal(csvOf([['/a;b=c;d-e', 'x=1;y']]), `${MARK}/a;b=c;d-e,x=1;y\r\n`, 'other semicolons stay');
});

test('commas, quotes and new lines are quoted, and lines end as the standard says', () => {
  const file = csvOf([
    ['Page', 'Visitors'],
    ['/a,b', 2],
    ['say "no"', 1],
    ['two\nlines', 0],
  ]);
  assert.equal(file, `${MARK}Page,Visitors\r\n"/a,b",2\r\n"say ""no""",1\r\n"two\nlines",0\r\n`);
});

test('a file is named after what it holds', () => {
  const span = { from: '2026-01-01T00:00:00Z', to: '2026-01-31T23:59:59Z' };
  assert.equal(fileName('example.com', 'pages', span, 'UTC'), 'daybook-example.com-pages-2026-01-01-2026-01-31.csv');
});

test('the dates of a file are those of the site, in the furthest zones as in others and after a change of zone', () => {
  const datesOf = (from: string, to: string, zone: string) => fileName('a.b', 'c', { from, to }, zone).slice(14, -4);
  assert.equal(datesOf('2025-12-31T11:00:00Z', '2026-01-31T10:59:59Z', 'Pacific/Auckland'), '2026-01-01-2026-01-31');
  assert.equal(datesOf('2026-01-01T11:00:00Z', '2026-01-02T10:59:59Z', 'Pacific/Pago_Pago'), '2026-01-01-2026-01-01');
  assert.equal(datesOf('2026-01-01T00:00:00Z', '2026-01-31T23:59:59Z', 'America/Los_Angeles'), '2026-01-01-2026-01-31');
});
