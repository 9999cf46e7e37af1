import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { Settings } from '../../src/destinations/settings.ts';
import type { DestinationKind } from '../../src/store/sites/destinations.ts';
import type { Received } from '../mail/receiver.ts';

const SECRET = 'a secret of a webhook';
const TOKEN = 'syt_secret-token';

/**
 * A service as its makers document it: what a site enters, which answer it gives, and what it accepts. `check` throws
 * for a message that the service would refuse.
 */
type Service<Kind extends DestinationKind> = {
  settings(origin: string): Settings[Kind];
  status: number;
  check(received: Received): { title: string; text: string; link: string };
};

const keysOf = (thing: object): string[] => Object.keys(thing).sort();

function assertJson({ headers, method }: Received, wanted = 'POST'): void {
  assert.equal(method, wanted);
  assert.match(String(headers['content-type']), /^application\/json/);
}

export const SERVICES: { [Kind in DestinationKind]: Service<Kind> } = {
  slack: {
    settings: (origin) => ({ url: `${origin}/services/T0/B0/x` }),
    status: 200,
    check(received) {
      assertJson(received);
      assert.equal(received.path, '/services/T0/B0/x');
      const body = JSON.parse(received.body);
      assert.deepEqual(keysOf(body), ['text']);
      assert.ok(body.text.length <= 40_000);
      const [, title = '', text = '', link = ''] =
        /^\*([^*\n]+)\*\n```\n([^`]*)\n```\n<([^|>]+)\|[^>]+>$/s.exec(body.text) ?? assert.fail(body.text);
      assert.doesNotMatch(`${title}${text}`, /[<>]/, 'markup');
      const plain = (one: string) => one.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
      return { title: plain(title), text: plain(text), link };
    },
  },
  discord: {
    settings: (origin) => ({ url: `${origin}/api/webhooks/1/x` }),
    status: 204,
    check(received) {
      assertJson(received);
      const body = JSON.parse(received.body);
      assert.deepEqual(keysOf(body), ['allowed_mentions', 'embeds']);
      assert.deepEqual(body.allowed_mentions, { parse: [] });
      assert.ok(body.embeds.length <= 10);
      const [{ title, url, description }] = body.embeds;
      assert.ok(title.length <= 256 && description.length <= 4_096 && title.length + description.length <= 6_000);
      const [, text = ''] = /^```\n([^`]*)\n```$/s.exec(description) ?? assert.fail(description);
      return { title, text, link: url };
    },
  },
  teams: {
    settings: (origin) => ({ url: `${origin}/workflows/x/triggers/manual/paths/invoke?sig=y` }),
    status: 202,
    check(received) {
      assertJson(received);
      assert.ok(Buffer.byteLength(received.body) <= 28 * 1024);
      const { type, attachments } = JSON.parse(received.body);
      assert.equal(type, 'message');
      const [{ contentType, content }] = attachments;
      assert.equal(contentType, 'application/vnd.microsoft.card.adaptive');
      assert.deepEqual([content.type, content.version], ['AdaptiveCard', '1.4']);
      const lines = content.body.map((block: { type: string; inlines: { type: string; text: string }[] }) => {
        assert.equal(block.type, 'RichTextBlock');
        for (const run of block.inlines) assert.equal(run.type, 'TextRun', 'a TextRun is never read as Markdown');
        return block.inlines.map(({ text }) => text).join('');
      });
      const [{ type: action, url }] = content.actions;
      assert.equal(action, 'Action.OpenUrl');
      return { title: lines[0], text: lines.slice(1).join('\n'), link: url };
    },
  },
  mattermost: {
    settings: (origin) => ({ url: `${origin}/hooks/x` }),
    status: 200,
    check(received) {
      assertJson(received);
      const body = JSON.parse(received.body);
      assert.deepEqual(keysOf(body), ['text']);
      assert.ok([...body.text].length <= 16_383);
      const [, title = '', text = '', link = ''] =
        /^\*\*([^\n]+)\*\*\n```text\n([^`]*)\n```\n\[[^\]]+\]\(([^)]+)\)$/s.exec(body.text) ?? assert.fail(body.text);
      assert.doesNotMatch(title.replaceAll(/\\./g, ''), /@\w|[*_~[\]()<>`|]/, 'Markdown or a mention');
      return { title: title.replaceAll(/\\(.)/g, '$1'), text, link };
    },
  },
  telegram: {
    settings: (url) => ({ url, token: '123456:AA-secret_token', chat: '-1001234567890' }),
    status: 200,
    check(received) {
      assertJson(received);
      assert.equal(received.path, '/bot123456:AA-secret_token/sendMessage');
      const body = JSON.parse(received.body);
      assert.deepEqual(keysOf(body), ['chat_id', 'link_preview_options', 'parse_mode', 'text']);
      assert.deepEqual([body.chat_id, body.parse_mode], ['-1001234567890', 'HTML']);
      const [, title = '', text = '', link = ''] =
        /^<b>([^<]+)<\/b>\n<pre>([^<]*)<\/pre>\n<a href="([^"]+)">[^<]+<\/a>$/s.exec(body.text) ??
        assert.fail(body.text);
      assert.doesNotMatch(title, /@\w/, 'a mention');
      assert.ok(plainHtml(`${title}${text}`).length <= 4_000);
      return { title: plainHtml(title), text: plainHtml(text), link: plainHtml(link) };
    },
  },
  ntfy: {
    settings: (url) => ({ url, topic: 'bakery-7f3a', token: TOKEN }),
    status: 200,
    check(received) {
      assertJson(received);
      assert.equal(received.path, '/', 'JSON is published at the root');
      assert.equal(received.headers.authorization, `Bearer ${TOKEN}`);
      const body = JSON.parse(received.body);
      assert.deepEqual(keysOf(body), ['click', 'message', 'title', 'topic']);
      assert.equal(body.topic, 'bakery-7f3a');
      assert.ok(Buffer.byteLength(body.message) <= 4_096, 'a longer one becomes an attachment');
      return { title: body.title, text: body.message, link: body.click };
    },
  },
  gotify: {
    settings: (origin) => ({ url: `${origin}/push/`, token: 'AGpBdvHcLqFoO5u' }),
    status: 200,
    check(received) {
      assertJson(received);
      assert.equal(received.path, '/push/message');
      assert.equal(received.headers['x-gotify-key'], 'AGpBdvHcLqFoO5u');
      const { title, message, priority, extras, ...rest } = JSON.parse(received.body);
      assert.deepEqual([rest, typeof priority], [{}, 'number']);
      assert.equal(extras['client::display'].contentType, 'text/plain');
      return { title, text: message, link: extras['client::notification'].click.url };
    },
  },
  matrix: {
    settings: (url) => ({ url, token: TOKEN, room: '!abc:example.com' }),
    status: 200,
    check(received) {
      assertJson(received, 'PUT');
      assert.match(
        received.path,
        /^\/_matrix\/client\/v3\/rooms\/!abc%3Aexample\.com\/send\/m\.room\.message\/[\w.]+$/,
      );
      assert.equal(received.headers.authorization, `Bearer ${TOKEN}`);
      assert.ok(Buffer.byteLength(received.body) <= 65_000);
      const body = JSON.parse(received.body);
      assert.deepEqual([body.msgtype, body.format], ['m.text', 'org.matrix.custom.html']);
      const [, title = '', text = '', link = ''] =
        /^<strong>([^<]+)<\/strong><pre><code>([^<]*)<\/code><\/pre><a href="([^"]+)">[^<]+<\/a>$/s.exec(
          body.formatted_body,
        ) ?? assert.fail(body.formatted_body);
      assert.ok(body.body.includes(plainHtml(text)), 'for clients without HTML');
      return { title: plainHtml(title), text: plainHtml(text), link: plainHtml(link) };
    },
  },
  webhook: {
    settings: (origin) => ({ url: `${origin}/hook`, secret: SECRET }),
    status: 204,
    check(received) {
      assertJson(received);
      const { body, headers } = received;
      const [, time = '', given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['daybook-signature'])) ?? [];
      assert.equal(given, createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex'));
      const { title, text, url, ...rest } = JSON.parse(body);
      assert.deepEqual(keysOf(rest), ['at', 'id', 'kind', 'site']);
      return { title, text, link: url };
    },
  },
};

const plainHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
