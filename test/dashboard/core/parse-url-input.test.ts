import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostIn, originIn, pathIn } from '../../../src/dashboard/core/parse-url-input.ts';

test('of a pasted address the path is taken, the host, or its site', () => {
  assert.equal(pathIn(' https://example.com/thanks?order=1#top '), '/thanks');
  assert.equal(pathIn('HTTPS://example.com'), '/');
  assert.equal(pathIn('https://example.com/app?a=b#/thanks?order=1'), '/app#/thanks');
  assert.equal(pathIn('https://example.com#!/thanks'), '/#!/thanks');
  assert.equal(pathIn(' /blog/* '), '/blog/*');
  assert.equal(pathIn('https://example.com/a?x=1&t=2&p=1&tt=3#top', ['p', 't']), '/a?t=2&p=1');
  assert.equal(pathIn('https://example.com?p=1#/b', ['p', 't']), '/?p=1#/b');
  assert.equal(pathIn('https://example.com/a?x=1', ['p']), '/a');
  assert.equal(hostIn(' https://Blog.example.com/page?x '), 'blog.example.com');
  assert.equal(originIn(' https://example.com:8443/page?x#y '), 'https://example.com:8443');
  assert.equal(originIn('example.com'), 'example.com');
  assert.equal(hostIn('localhost'), 'localhost');
});
