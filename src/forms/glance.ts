// A small page with figures of one site, which a start page shows as a widget. Programs such as Homepage or Glance make
// start pages. The widget shows the visitors now, today and in seven days, with a small line chart. The widget has no
// script and loads nothing.
//
// The page asks the API with the rights of its caller. The caller has a share link (`?share=SLUG`), a token in the
// header Authorization, or a session. So the page shows only what this caller may read. For a link with a view, the
// page shows only the visits of the view.
//
// Invariant: only a website that may show the share link in a frame may also show the widget in a frame. Tested by
// test/forms/glance.test.ts. `mount.ts` calls `mountGlance`.
//
// Example: /sites/example.com/glance?share=3kT…&theme=dark

import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import { dark, light, sizes } from '../embedded/palette.ts';
import { Problem } from '../lib/errors.ts';
import { answerWidget } from '../lib/http/answer.ts';
import { BASE, type Env, mountPath } from '../lib/http/paths.ts';
import { seconds } from '../lib/time.ts';
import { listEmbeds } from '../store/sites/embeds.ts';
import { findShared } from '../store/sites/shares.ts';
import { makeAskApi } from './first-answers.ts';
import type { C } from './form.ts';
import { type Html, html, writeVariables } from './html.ts';
import { chooseSay } from './language.ts';
import type { Pages } from './link.ts';
import type { PageSay } from './say.ts';
import { writeLost } from './share-password.ts';

const REFRESH_SECONDS = '60';
const [WIDTH, HEIGHT] = [140, 36];

const STYLE = `
:root { color-scheme: light dark; ${sizes} ${writeVariables(light)} }
@media (prefers-color-scheme: dark) { :root { ${writeVariables(dark)} } }
:root[data-theme=light] { color-scheme: light; ${writeVariables(light)} }
:root[data-theme=dark] { color-scheme: dark; ${writeVariables(dark)} }
body { margin: 0; padding: var(--space-3) var(--space-4); background: var(--card); color: var(--ink); font: var(--text)/1.35 var(--font); font-variant-numeric: tabular-nums }
main { display: grid; grid-template-columns: auto auto 1fr; gap: var(--space-2) var(--space-5); align-items: end; max-width: 30rem }
h1 { grid-column: 1 / 3; margin: 0; font-size: var(--text); font-weight: 600; overflow: hidden; text-overflow: ellipsis }
a { color: inherit; text-decoration: none }
a:hover { text-decoration: underline }
a:focus-visible { outline: 2px solid var(--accent) }
.now { margin: 0; text-align: end; color: var(--accent); font-size: var(--text-small) }
dl { display: contents }
dt { color: var(--soft); font-size: var(--text-small) }
dd { margin: 0; font-size: var(--text-huge); font-weight: 600; line-height: 1.15 }
svg { display: block; width: 100%; height: 2.25rem; overflow: visible }
polyline { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke }
.today { stroke: var(--edge) }
@media (max-width: 17rem) { h1, .now { grid-column: 1 / -1; text-align: start } }
`;
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

/** The parts of the API's answers that the page uses, in the order in which the page requests them. */
type Answers = [Count, Count, { points: Count[] }];
type Count = { visitors: number };
type Figures = { domain: string; href: string; now: number; week: number; days: number[] };

export function mountGlance(app: Hono<Env>, pages: Pages): void {
  mountPath(app, '/sites/:domain/glance', {
    async GET(c) {
      const domain = c.req.param('domain') ?? '';
      const slug = c.req.query('share');
      const say = chooseSay(pages, c);
      const figures = await readFigures(app, c, domain, slug);
      if (!figures) return writeLost(say);
      const theme = ['light', 'dark'].find((one) => one === c.req.query('theme'));
      return answerWidget(writeGlance(figures, say, theme), STYLE_HASH, listFramers(pages, slug), {
        Refresh: REFRESH_SECONDS,
        Vary: 'Accept-Language, Cookie, Authorization',
      });
    },
  });
}

/** Lists the websites that may show the page in a frame. Without a share link, no website may. */
function listFramers({ db, clock }: Pages, slug: string | undefined): string[] {
  const found = slug === undefined ? undefined : findShared(db, slug, seconds(clock));
  if (!found) return [];
  return found.share?.origins ?? listEmbeds(db, found.site.id).map(({ origin }) => origin);
}

/**
 * Asks the API for the figures. Returns undefined if the caller may not read the site, or if the site does not exist.
 */
async function readFigures(
  app: Hono<Env>,
  c: C,
  domain: string,
  slug: string | undefined,
): Promise<Figures | undefined> {
  const askApi = makeAskApi(app, c, slug === undefined ? undefined : `Share ${slug}`);
  const stats = `${BASE}/sites/${encodeURIComponent(domain)}/stats`;
  const answers = await Promise.all(
    ['realtime', 'overview?range=7d', 'timeseries?range=7d&interval=day'].map((path) => askApi(`${stats}/${path}`)),
  );
  const failed = answers.find(({ ok }) => !ok);
  if (failed && failed.status < 429) return undefined;
  if (failed) throw new Problem(failed.status === 429 ? 'rate_limited' : 'unavailable');
  const data = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { data: unknown }).data));
  const [realtime, overview, timeseries] = data as Answers;
  return {
    domain,
    href: slug === undefined ? `/sites/${encodeURIComponent(domain)}` : `/share/${encodeURIComponent(slug)}`,
    now: realtime.visitors,
    week: overview.visitors,
    days: timeseries.points.map(({ visitors }) => visitors),
  };
}

function writeGlance({ domain, href, now, week, days }: Figures, say: PageSay, theme: string | undefined): string {
  const { language, t, plural } = say;
  const numbers = new Intl.NumberFormat(language);
  const figure = (name: string, value: number): Html =>
    html`<div><dt>${name}</dt><dd>${numbers.format(value)}</dd></div>`;
  return html`<!doctype html>
<html lang="${language}"${theme ? html` data-theme="${theme}"` : html``}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${domain}</title><style>${{ html: STYLE }}</style></head>
<body><main><h1><a href="${href}" target="_blank" rel="noopener">${domain}</a></h1>
<p class="now">${plural(now, '{count} visitor now', '{count} visitors now')}</p>
<dl>${figure(t('Today'), days.at(-1) ?? 0)}${figure(t('7 days'), week)}</dl>
${drawLine(days, t('Visitors per day'))}
</main></body>
</html>
`.html;
}

/**
 * Draws a line of the visitors of each day, from 0 up to the highest day. The part for today is grey, because today is
 * not over.
 */
function drawLine(days: readonly number[], label: string): Html {
  const most = Math.max(...days, 1);
  const step = WIDTH / Math.max(days.length - 1, 1);
  const points: string[] = days.map(
    (visitors, at) => `${(at * step).toFixed(1)},${(HEIGHT - (visitors / most) * HEIGHT).toFixed(1)}`,
  );
  return html`<svg viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" preserveAspectRatio="none" role="img" aria-label="${label}: ${days.join(', ')}"><polyline points="${points.slice(0, -1).join(' ')}"/><polyline class="today" points="${points.slice(-2).join(' ')}"/></svg>`;
}
