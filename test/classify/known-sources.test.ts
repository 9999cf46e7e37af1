import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findHost, findKnownSource, SOURCES } from '../../src/classify/known-sources.ts';
import { findSource, normalizeHost } from '../../src/classify/source.ts';

test('the table has about a hundred sources of every kind, each once and written like a source', () => {
  assert.ok(SOURCES.length >= 100);
  assert.deepEqual(new Set(SOURCES.map(({ kind }) => kind)), new Set(['search', 'social', 'assistant']));
  assert.equal(new Set(SOURCES.map(({ host: of }) => of)).size, SOURCES.length);
  for (const { host: of, name } of SOURCES) {
    assert.match(of, /^[a-z0-9-]+(\.[a-z0-9-]+)+$|^[a-z0-9.-]+\.\*$/);
    assert.notEqual(name, '');
    const example = of.replace('*', 'com');
    assert.equal(normalizeHost(example), example);
    assert.equal(findKnownSource(example)?.name, name);
  }
});

test('the name of a source becomes the host that browsers send, whatever its spelling', () => {
  for (const { name } of SOURCES) {
    const found = findHost(name) ?? '';
    assert.equal(findKnownSource(found)?.name, name);
    assert.equal(findSource(`https://${found}/page`, { domain: 'example.org' }), found);
    if (name !== 'Google app') assert.doesNotMatch(found, /^(?:com|org|ai)\./, `${name} is no app`);
    assert.equal(findHost(name.toUpperCase()), found);
  }
  for (const [name, host] of Object.entries({
    Facebook: 'facebook.com',
    X: 'x.com',
    Twitter: 'x.com',
    LinkedIn: 'linkedin.com',
    Reddit: 'reddit.com',
    Instagram: 'instagram.com',
    Pinterest: 'pinterest.com',
    Youtube: 'youtube.com',
    Telegram: 'telegram.org',
    'Telegram Messenger': 'telegram.org',
    WhatsApp: 'whatsapp.com',
    Discord: 'discord.com',
    Tumblr: 'tumblr.com',
    Yandex: 'yandex.ru',
    'Yahoo!': 'search.yahoo.com',
    Brave: 'search.brave.com',
    google: 'google.com',
    'Google Images': 'images.google.com',
    ChatGPT: 'chatgpt.com',
    Claude: 'claude.ai',
    Perplexity: 'perplexity.ai',
    Gemini: 'gemini.google.com',
    Copilot: 'copilot.microsoft.com',
    Weibo: 'weibo.com',
    GitHub: 'github.com',
    Wikipedia: 'wikipedia.org',
    Slack: 'slack.com',
    'Slack Chat': 'slack.com',
    Gmail: 'mail.google.com',
    'Microsoft Teams': 'teams.microsoft.com',
    'Product Hunt': 'producthunt.com',
    Email: 'email',
    RSS: 'rss',
  })) {
    assert.equal(findHost(name), host, name);
    assert.equal(findSource(`https://${host}/`, { domain: 'example.org' }), host);
  }
  assert.equal(findHost('Somebody'), undefined);
});

test('a source has the kind of its row, or of the nearest above it', () => {
  const kinds: [source: string, name: string | undefined, kind?: string][] = [
    ['google.com', 'Google', 'search'],
    ['google.de', 'Google', 'search'],
    ['google.co.uk', 'Google', 'search'],
    ['google.com.br', 'Google', 'search'],
    ['images.google.fr', 'Google Images', 'search'],
    ['yandex.ru', 'Yandex', 'search'],
    ['yandex.com.tr', 'Yandex', 'search'],
    ['cn.bing.com', 'Bing', 'search'],
    ['uk.search.yahoo.com', 'Yahoo', 'search'],
    ['html.duckduckgo.com', 'DuckDuckGo', 'search'],
    ['l.facebook.com', 'Facebook', 'social'],
    ['t.co', 'X', 'social'],
    ['lnkd.in', 'LinkedIn', 'social'],
    ['out.reddit.com', 'Reddit', 'social'],
    ['away.vk.com', 'VK', 'social'],
    ['pinterest.co.uk', 'Pinterest', 'social'],
    ['br.pinterest.com', 'Pinterest', 'social'],
    ['com.linkedin.android', 'LinkedIn', 'social'],
    ['chatgpt.com', 'ChatGPT', 'assistant'],
    ['gemini.google.com', 'Gemini', 'assistant'],
    ['edgeservices.bing.com', 'Copilot', 'assistant'],
    ['claude.ai', 'Claude', 'assistant'],
  ];
  for (const [source, name, kind] of kinds) {
    assert.equal(findKnownSource(source)?.name, name, source);
    assert.equal(findKnownSource(source)?.kind, kind, source);
  }
});

test('what is no search, and what only looks like a row, has no kind', () => {
  for (const source of [
    '',
    '(other)',
    'com',
    'example.org',
    'mail.google.com',
    'docs.google.com',
    'google.evil.example',
    'google.example.com',
    'notgoogle.com',
    'notfacebook.com',
    'yahoo.com',
    'com.google.android.gm',
    'google',
    'google.*.com',
  ]) {
    assert.equal(findKnownSource(source), undefined, source);
  }
});
