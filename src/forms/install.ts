// Lets people install the dashboard as an app, on a phone or a computer, with a manifest and icons.
//
// Invariant: the files say nothing about the server or its sites, because anybody may read them. The icons are drawn
// from one shape: three bars on the accent colour.
//
// Example: Chrome reads /assets/manifest.webmanifest, and "Install daybook" then opens the dashboard in a window of its
// own. `application.ts` links the files. test/browser/install.test.ts asks Chromium whether the app can be installed.
import { crc32, deflateSync } from 'node:zlib';
import type { Hono } from 'hono';
import { dark, light } from '../embedded/palette.ts';
import { type DashboardMessage, dashboardTexts } from '../lang/dashboard.ts';
import { type Language, readPreferredLanguage } from '../lang/languages.ts';
import { sayIn } from '../lang/messages.ts';
import { cached } from '../lib/cache.ts';
import { answerSmall } from '../lib/http/answer.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { html } from './html.ts';
import { makePageSay } from './say.ts';

/**
 * The icon is a grid of 16 × 16 fields. A bar begins at the column `left` and the row `top`. It ends before the row
 * `BAR_END`.
 */
const FIELDS = 16;
const BARS = [
  { left: 3, top: 8 },
  { left: 7, top: 4 },
  { left: 11, top: 6 },
] as const;
const [BAR_WIDTH, BAR_END] = [2, 12];

/**
 * The sizes of the icon in pixels. Phones cut icons into a circle or a rounded square. So the icon fills its square,
 * and the bars stay away from the edges.
 */
const SIZES = [180, 192, 512] as const;

const nameIcon = (size: number): string => `/assets/icon-${size}.png`;

/** Elements in the HTML of the dashboard. They link the manifest and the icon, and set the colours of the app. */
export const INSTALL_LINKS = html`<link rel="manifest" href="/assets/manifest.webmanifest"><link rel="apple-touch-icon" href="${nameIcon(180)}"><meta name="theme-color" media="(prefers-color-scheme: light)" content="${light.paper}"><meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark.paper}">`;

/**
 * Writes the manifest, which lists shortcuts to pages. After a long press on the app's icon, a phone shows the
 * shortcuts.
 */
function makeManifest(language: Language) {
  const { t } = sayIn<DashboardMessage>(language, dashboardTexts(language));
  return {
    name: 'daybook',
    short_name: 'daybook',
    lang: language,
    description: makePageSay(language).t('Web analytics'),
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: light.paper,
    theme_color: light.paper,
    icons: SIZES.map((size) => ({
      ...{ src: nameIcon(size), sizes: `${size}x${size}`, type: 'image/png', purpose: 'any maskable' },
    })),
    shortcuts: [
      { name: t('All sites'), url: '/all-sites' },
      { name: t('Account'), url: '/account' },
    ],
  };
}

export function mountInstall(app: Hono<Env>): void {
  mountPath(app, '/assets/manifest.webmanifest', {
    GET(c) {
      const language = readPreferredLanguage(c.req.header('Accept-Language'));
      return answerSmall(readManifest(language), 'application/manifest+json', { Vary: 'Accept-Language' });
    },
  });
  for (const size of SIZES) {
    mountPath(app, nameIcon(size), { GET: () => answerSmall(readIcon(size), 'image/png') });
  }
}

/**
 * Stores the manifest of each language in memory. Collecting its texts takes 0.3 ms, and anybody may request it again
 * and again.
 */
const readManifest = cached((language: Language) => new TextEncoder().encode(JSON.stringify(makeManifest(language))));

/** Draws each size only at its first request. Drawing all sizes would delay each start by 2 ms. */
const readIcon = cached((size: number) => Uint8Array.from(drawIcon(size)), { size: SIZES.length });

/** Draws the icon as a PNG file with a palette of two colours. */
function drawIcon(size: number): Buffer {
  const rows = Buffer.alloc(size * (size + 1));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++)
      rows[y * (size + 1) + 1 + x] = Number(isBar((x * FIELDS) / size, (y * FIELDS) / size));
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const palette = Buffer.from(`${light.accent}${light.on}`.replaceAll('#', ''), 'hex');
  const chunks = { IHDR: head, PLTE: palette, IDAT: deflateSync(rows), IEND: Buffer.alloc(0) };
  return Buffer.concat([SIGNATURE, ...Object.entries(chunks).map(([name, data]) => writeChunk(name, data))]);
}

/** The first bytes of each PNG file. */
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function writeChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

const isBar = (x: number, y: number): boolean =>
  BARS.some(({ left, top }) => x >= left && x < left + BAR_WIDTH && y >= top && y < BAR_END);
