// The table of shapes. A shape says how a message is written for one kind of destination. Each shape follows the
// documentation of its service.
//
// Invariant: a text of a visitor, such as a path, never becomes markup, a link or a mention. A title may contain the
// text of a note. A deploy script may copy this text from a commit by anybody. So a title mentions nobody either. A
// message is never longer than its service accepts. Each shape is tested against a server that checks it
// (test/destinations/shapes.test.ts).
//
// Example: ntfy gets `POST https://ntfy.sh` with `{"topic": "bakery", "title": …, "message": …, "click": …}`. send.ts
// calls `writeRequest`.

import { createHmac } from 'node:crypto';
import { html } from '../lib/http/markup.ts';
import { iso } from '../lib/time.ts';
import type { Letter } from '../mail/letter.ts';
import { writeBlocks } from '../mail/text.ts';
import type { Voice } from '../mail/voice.ts';
import type { DestinationKind } from '../store/sites/destinations.ts';
import { listLines, writeLines } from './lines.ts';
import type { Outgoing } from './request.ts';
import type { Settings } from './settings.ts';

/** A message. All tries of a message have the same id. By this id, a receiver can ignore a second copy. */
export type Message = { id: string; kind: string; site: string; at: number; letter: Letter; voice: Voice };

type Written = { method?: 'PUT'; url: string; headers?: Record<string, string>; body: object; secret?: string };
type Shape<Kind extends DestinationKind> = (settings: Settings[Kind], message: Message) => Written;

const SHAPES: { [Kind in DestinationKind]: Shape<Kind> } = {
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
  slack({ url }, { letter, voice }) {
    const { title, link } = letter;
    const text = cut(writeBlocks(letter, voice), 12_000);
    return {
      url,
      body: {
        text: `*${forSlack(oneLine(title)).replaceAll('*', '∗')}*\n\`\`\`\n${forSlack(text)}\n\`\`\`\n<${link.url}|${forSlack(link.words)}>`,
      },
    };
  },

  // https://discord.com/developers/docs/resources/webhook#execute-webhook
  discord({ url }, { letter, voice }) {
    const { title, link } = letter;
    const description = `\`\`\`\n${noBackquotes(cut(writeBlocks(letter, voice), 3_900))}\n\`\`\``;
    return {
      url,
      body: { embeds: [{ title: cut(title, 250), url: link.url, description }], allowed_mentions: { parse: [] } },
    };
  },

  // https://learn.microsoft.com/en-us/connectors/teams/#microsoft-teams-webhook
  teams({ url }, { letter, voice }) {
    const content = {
      ...{ $schema: 'http://adaptivecards.io/schemas/adaptive-card.json', type: 'AdaptiveCard', version: '1.4' },
      body: [teamsLine([{ text: letter.title, size: 'Large', weight: 'Bolder' }]), ...writeTeamsLines(letter, voice)],
      actions: [{ type: 'Action.OpenUrl', title: letter.link.words, url: letter.link.url }],
    };
    const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
    return { url, body: { type: 'message', attachments: [attachment] } };
  },

  // https://developers.mattermost.com/integrate/webhooks/incoming/
  mattermost({ url }, { letter, voice }) {
    const { title, link } = letter;
    const text = noBackquotes(cut(writeBlocks(letter, voice), 12_000));
    return {
      url,
      body: { text: `**${forMattermost(title)}**\n\`\`\`text\n${text}\n\`\`\`\n[${link.words}](${link.url})` },
    };
  },

  // https://core.telegram.org/bots/api#sendmessage
  telegram({ url, token, chat }, { letter, voice }) {
    const { title, link } = letter;
    const text = cut(writeBlocks(letter, voice), 3_500);
    const { html: written } =
      html`<b>${unmention(title)}</b>\n<pre>${text}</pre>\n<a href="${link.url}">${link.words}</a>`;
    return {
      url: under(url, `bot${token}/sendMessage`),
      body: { chat_id: chat, text: written, parse_mode: 'HTML', link_preview_options: { is_disabled: true } },
    };
  },

  // https://docs.ntfy.sh/publish/#publish-as-json
  ntfy({ url, topic, token }, { letter, voice }) {
    return {
      url,
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      body: { topic, title: letter.subject, message: cut(writeLines(letter, voice), 3_900), click: letter.link.url },
    };
  },

  // https://gotify.net/docs/pushmsg
  gotify({ url, token }, { letter, voice }) {
    return {
      url: under(url, 'message'),
      headers: { 'X-Gotify-Key': token },
      body: {
        title: letter.subject,
        message: cut(writeLines(letter, voice), 12_000),
        priority: 5,
        extras: {
          'client::display': { contentType: 'text/plain' },
          'client::notification': { click: { url: letter.link.url } },
        },
      },
    };
  },

  // https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
  matrix({ url, token, room }, { id, letter, voice }) {
    const { title, link } = letter;
    const text = cut(writeBlocks(letter, voice), 12_000);
    const formatted = html`<strong>${title}</strong><pre><code>${text}</code></pre><a href="${link.url}">${link.words}</a>`;
    const path = `_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(id)}`;
    return {
      method: 'PUT',
      url: under(url, path),
      headers: { Authorization: `Bearer ${token}` },
      body: {
        msgtype: 'm.text',
        body: `${title}\n\n${text}\n\n${link.url}`,
        format: 'org.matrix.custom.html',
        formatted_body: formatted.html,
        'm.mentions': {},
      },
    };
  },

  // docs/webhook.md
  webhook({ url, secret }, { id, kind, site, at, letter, voice }) {
    const { title, link } = letter;
    const text = writeBlocks(letter, voice);
    return { url, secret, body: { id, kind, site, at: iso(at), title, text, url: link.url } };
  },
};

/** Writes the request of a message. `now` is the time of this try. It is a part of the signature of a webhook. */
export function writeRequest<Kind extends DestinationKind>(
  kind: Kind,
  settings: Settings[Kind],
  message: Message,
  now: number,
): Outgoing {
  const { method = 'POST', url, headers, body: content, secret } = SHAPES[kind](settings, message);
  const body = JSON.stringify(content);
  const signed = secret === undefined ? {} : { 'Daybook-Signature': `t=${now},v1=${sign(secret, `${now}.${body}`)}` };
  return { method, url, headers: { 'Content-Type': 'application/json', ...headers, ...signed }, body };
}

const sign = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

/** Adds a path to the path of a base URL, which may end with a slash. */
function under(base: string, path: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  return url.href;
}

/**
 * Shortens a text that has more than `mostBytes` bytes to this length, and adds `…`. Some services limit characters,
 * and others limit bytes. No text has more characters than bytes, so a limit of bytes is right for both.
 */
function cut(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  return `${new TextDecoder().decode(Buffer.from(text).subarray(0, mostBytes)).replace(/\uFFFD+$/, '')}…`;
}

/**
 * Replaces each backquote by a single quote. Some services get a text as a code block, because its columns then align.
 * Three backquotes begin and end a code block. Three backquotes in the text would end the block early.
 */
const noBackquotes = (text: string): string => text.replaceAll('`', "'");

/** Escapes a text for Slack, which reads &, < and > as markup. */
const forSlack = (text: string): string =>
  noBackquotes(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/**
 * Keeps a text from mentioning people. Telegram and Mattermost notify the people behind @name and @all. With an
 * invisible space after the @, they do not.
 */
const unmention = (text: string): string => text.replaceAll('@', '@\u200b');

/** Escapes a title for Mattermost, which reads titles as Markdown. */
const forMattermost = (text: string): string =>
  unmention(oneLine(noBackquotes(text)).replaceAll(/[\\*_~[\]()<>|#!]/g, '\\$&'));

type TextRun = { text: string; size?: 'Large'; weight?: 'Bolder' };

/**
 * Makes a line of a message for Teams. Teams never reads the text of a TextRun as Markdown. In a TextBlock, a path
 * could become a link.
 */
const teamsLine = (runs: readonly TextRun[]) => ({
  type: 'RichTextBlock',
  inlines: runs.map((run) => ({ type: 'TextRun', ...run })),
});

/** Teams accepts messages of up to 28 kB, and a line has about 200 bytes. Further lines are left out. */
const MOST_TEAMS_LINES = 80;

const writeTeamsLines = (letter: Letter, voice: Voice) =>
  listLines(letter, voice)
    .slice(0, MOST_TEAMS_LINES)
    .map(({ name, values, isHeading }) => ({
      ...teamsLine([
        { text: cut(values === '' ? name : `${name}: `, 500), ...(isHeading && { weight: 'Bolder' as const }) },
        ...(values === '' ? [] : [{ text: cut(values, 200), ...(!isHeading && { weight: 'Bolder' as const }) }]),
      ]),
      spacing: isHeading ? 'Medium' : 'Small',
    }));
