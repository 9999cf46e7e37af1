import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findScreen } from '../../src/classify/screen.ts';

test('screens: a width has the class of its range, and no width has none', () => {
  const widths = [0, 320, 575, 576, 991, 992, 1439, 1440, 1919, 1920, 1e9, undefined];
  assert.deepEqual(widths.map(findScreen), [
    ...['Mobile', 'Mobile', 'Mobile', 'Tablet', 'Tablet', 'Laptop', 'Laptop', 'Desktop', 'Desktop', 'Wide', 'Wide', ''],
  ]);
});
