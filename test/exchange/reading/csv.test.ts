import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CsvRow, csvReader } from '../../../src/exchange/reading/csv.ts';
import { anyText } from '../../support/text.ts';

/** The records of a text that comes in pieces of so many bytes, each with its line. */
function read(text: string | Buffer, size = 1_000, required: string[] = []): [line: number, row: CsvRow][] {
  const found: [number, CsvRow][] = [];
  const reader = csvReader({ required, onRow: (row, line) => void found.push([line, row]) });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.feed(bytes.subarray(at, at + size));
  reader.end();
  return found;
}

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
const plainly = (value: string): string => (/[",\r\n]/.test(value) || value === '' ? quoted(value) : value);

test('any table comes back as it was written, however it is cut into chunks', () => {
  const value = fc.oneof(
    fc.array(fc.constantFrom('"', ',', '\n', '\r\n', 'a', 'ü', '😀', ' ')).map((signs) => signs.join('')),
    anyText({ maxLength: 8 }).map((text) => text.replaceAll(/[\r\ufeff]/g, '')),
  );
  const table = fc.integer({ min: 1, max: 4 }).chain((width) => {
    const record = fc.array(value, { minLength: width, maxLength: width });
    return fc.array(
      record.filter((cells) => cells.length > 1 || cells[0] !== ''),
      { maxLength: 6 },
    );
  });
  const size = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(1_000));
  fc.assert(
    fc.property(
      table,
      fc.boolean(),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      size,
      (rows, all, end, ends, size) => {
        const names = (rows[0] ?? ['']).map((_, i) => `c${i}`);
        const write = all ? quoted : plainly;
        const text = [names, ...rows].map((cells) => cells.map(write).join(',')).join(end) + (ends ? end : '');
        const found = read(text, size).map(([, row]) => names.map((name) => row[name]));
        assert.deepEqual(found, rows);
      },
    ),
  );
});

test('a record goes by the line on which it begins', () => {
  const text = 'a,b\n1,"x\ny\n\nz"\n\n2,3\r\n"",""\n';
  for (const size of [1, 2, 3, 100]) {
    assert.deepEqual(read(text, size), [
      [2, { a: '1', b: 'x\ny\n\nz' }],
      [7, { a: '2', b: '3' }],
      [8, { a: '', b: '' }],
    ]);
  }
});

test('a byte order mark at the start is skipped', () => {
  assert.deepEqual(read('\ufeffa\n1\n', 1), [[2, { a: '1' }]]);
});

test('what is wrong is said with its line and what would be right', () => {
  for (const [text, message] of [
    ['', /^line 1: must name the columns a, b$/],
    ['a,c\n1,2\n', /^line 1: b: this column is missing. The first line must name a, b$/],
    ['a,b,a\n1,2,3\n', /^line 1: a: two columns have this name. Leave one of them out$/],
    ['a,b\n1,2\n1\n', /^line 3: must have 2 fields, as the first line has, not 1$/],
    ['a,b\n"1\n1",2\n1,2,3\n', /^line 4: must have 2 fields, as the first line has, not 3$/],
    ['a,b\n1,"2\n3,4\n', /^line 2: has a quote that is never closed. Perhaps the file is cut off$/],
    ['a,b\n1,x"y\n', /^line 2: "x\\"y" must be in quotes, with each quote inside doubled$/],
    ['a,b\n"1"x,2\n', /^line 2: must have a comma between two fields$/],
    [Buffer.from('a,b\n1,\xff\n', 'latin1'), /^line 1: must be UTF-8 from here on/],
    [`a,b\n1,"${'x'.repeat(300_000)}`, /^line 2: must have at most 262144 characters. Perhaps a quote is not closed$/],
  ] as const) {
    assert.throws(() => read(text, 100_000, ['a', 'b']), { message }, String(text).slice(0, 40));
  }
});
