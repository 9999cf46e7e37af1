import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keptPath, readablePath } from '../../../src/dashboard/core/readable.ts';

test('any path that is read and typed again is found', () => {
  const paths = fc.string({ unit: 'binary' }).map((text) => `/${encodeURI(text.replaceAll(/\p{Cs}/gu, ''))}`);
  fc.assert(fc.property(paths, (path) => assert.equal(keptPath(readablePath(path)), path)));
});
