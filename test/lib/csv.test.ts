import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCsvCell } from '../../src/lib/csv.ts';

test('no text is run as a formula by a spreadsheet', () => {
  for (const text of ['=1+1', '+1', '-1', '@sum', '\t=1', '\uff1d1', '\uff0b1', '\uff0d1', '\uff20sum'])
    assert.equal(writeCsvCell(text), `'${text}`);
  assert.equal(writeCsvCell('\r=1'), `"'\r=1"`);
  assert.equal(writeCsvCell('=cmd|"/c calc"!A1'), `"'=cmd|""/c calc""!A1"`);
  for (const text of ['1=1', 'a-b', ' =1', '']) assert.equal(writeCsvCell(text), text);
});

test('a number is no text', () => {
  assert.equal(writeCsvCell(-1), '-1');
});

test('commas, quotes and line ends stand in quotes', () => {
  for (const [text, cell] of [
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['a\nb', '"a\nb"'],
    ['a\r', '"a\r"'],
    ["a'b;c", "a'b;c"],
  ] as const) {
    assert.equal(writeCsvCell(text), cell);
  }
});
