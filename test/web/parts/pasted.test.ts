import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostIn, pathIn } from '../../../src/web/parts/pasted.ts';

test('of a pasted address the path is taken, or the host', () => {
  assert.equal(pathIn(' https://example.com/thanks?order=1#top '), '/thanks');
  assert.equal(pathIn('HTTPS://example.com'), '/');
  assert.equal(pathIn(' /blog/* '), '/blog/*');
  assert.equal(hostIn(' https://Blog.example.com/page?x '), 'blog.example.com');
  assert.equal(hostIn('localhost'), 'localhost');
});
