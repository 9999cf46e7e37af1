import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvCell } from '../../src/lib/csv.ts';

test('no text is run as a formula by a spreadsheet', () => {
  for (const text of ['=1+1', '+1', '-1', '@sum', '\t=1']) assert.equal(csvCell(text), `'${text}`);
  assert.equal(csvCell('\r=1'), `"'\r=1"`);
  assert.equal(csvCell('=cmd|"/c calc"!A1'), `"'=cmd|""/c calc""!A1"`);
  for (const text of ['1=1', 'a-b', ' =1', '']) assert.equal(csvCell(text), text);
});

test('a number is no text', () => {
  assert.equal(csvCell(-1), '-1');
});

test('commas, quotes and line ends stand in quotes', () => {
  for (const [text, cell] of [
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['a\nb', '"a\nb"'],
    ['a\r', '"a\r"'],
    ["a'b;c", "a'b;c"],
  ] as const) {
    assert.equal(csvCell(text), cell);
  }
});
