import type { Hono } from 'hono';
import type { Asset, Dashboard } from '../embedded/dashboard.ts';
import { light } from '../embedded/palette.ts';
import type { Language } from '../lang/languages.ts';
import { Problem } from '../lib/errors.ts';
import { assetAnswer, dashboardAnswer, isAccepted, redirect } from '../lib/http/answer.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { isFirstAccount } from '../store/people/accounts.ts';
import { hasFactors } from '../store/people/second-factors.ts';
import { hasUsers } from '../store/people/users.ts';
import { listEmbeds } from '../store/sites/embeds.ts';
import { findSharedSite } from '../store/sites/sites.ts';
import type { C } from './form.ts';
import { type Html, html, page } from './html.ts';
import { languageFor, sayFor } from './language.ts';
import type { Pages } from './link.ts';
import { type PageSay, pageSay } from './say.ts';
import { whoIs } from './session.ts';

/** Paths of the dashboard; src/web decides what is shown at each. */
const PATHS = [
  '/',
  '/all-sites',
  '/sites/:domain',
  '/sites/:domain/settings',
  '/sites/:domain/settings/:part',
  '/account',
  '/account/:part',
  '/server',
];

/** What the page tells its script. */
export type Boot = {
  /** The page is that of a share link, which shows one site and nothing else. */
  share: { slug: string; domain: string; timeZone: string; mainGoal: number | null } | null;
  /** Who is signed in; null behind a share link. */
  email: string | null;
  /** Whether this user may see what needs attention on the server. */
  server: boolean;
  /** Whether they have set up a second factor. */
  factors: boolean;
  /** Whether the server can send mails. */
  mails: boolean;
  /** In which the page speaks. */
  language: Language;
};

/** As text of a script element, which only a < could end. */
const bootData = (boot: Boot): { html: string } => ({ html: JSON.stringify(boot).replaceAll('<', '\\u003c') });

/** The first script imports the others; they are preloaded, so that they arrive before it has been read. */
const tags = ([main = '', ...ahead]: readonly string[]): Html =>
  ahead
    .map((name) => html`<link rel="modulepreload" href="/assets/${name}">`)
    .reduce((all, one) => html`${all}${one}`, html`<script type="module" src="/assets/${main}"></script>`);

const shape = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='${light.accent}'/><path d='M4 12V8M8 12V4M12 12V6' stroke='${light.on}' stroke-width='2'/></svg>`;
const ICON = `data:image/svg+xml,${shape.replaceAll(/[<>#]/g, encodeURIComponent)}`;

/** With the messages of the language, which the first script waits for. */
const scriptsFor = ({ scripts, texts }: Dashboard, language: Language): string[] => [...scripts, texts[language]];

const shell = (dashboard: Dashboard, title: string, boot: Boot): string =>
  html`<!doctype html>
<html lang="${boot.language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<link rel="stylesheet" href="/assets/${dashboard.style}">${tags(scriptsFor(dashboard, boot.language))}
<link rel="icon" href="${ICON}"></head>
<body aria-busy="true"><div id="app"></div><script type="application/json" id="boot">${bootData(boot)}</script>
<noscript><p>${pageSay(boot.language).t('The dashboard needs JavaScript. The API does not: {address}', { address: '/api/v1/openapi.json' })}</p></noscript></body>
</html>
`.html;

function nobodyYet({ language, t }: PageSay): Response {
  const sentence = t('Nobody has set it up yet. The terminal in which it was started shows the link for that.');
  return page({ language, status: 200, title: t('This is a daybook server'), body: html`<p>${sentence}</p>` });
}

function assetFor({ type, brotli, gzip, plain }: Asset, c: C): Response {
  const accepted = c.req.header('Accept-Encoding') ?? '';
  if (isAccepted('br', accepted)) return assetAnswer(brotli, type, 'br');
  return isAccepted('gzip', accepted) ? assetAnswer(gzip, type, 'gzip') : assetAnswer(plain(), type, undefined);
}

export function mountApplication(app: Hono<Env>, pages: Pages): void {
  const { db, dashboard, post } = pages;

  function dashboardPage(c: C): Response {
    const who = whoIs(pages, c);
    if (who) {
      const { userId, email, accountId } = who;
      const own = { server: isFirstAccount(db, accountId), factors: hasFactors(db, userId) };
      const boot = { share: null, email, ...own, mails: post.works, language: languageFor(pages, c) };
      return dashboardAnswer(shell(dashboard, 'daybook', boot), []);
    }
    if (!hasUsers(db)) return nobodyYet(sayFor(pages, c));
    const { pathname, search } = new URL(c.req.url);
    return redirect(pathname === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(pathname + search)}`);
  }

  for (const path of PATHS) mountPath(app, path, { GET: dashboardPage });

  mountPath(app, '/share/:slug', {
    GET(c) {
      const slug = c.req.param('slug') ?? '';
      const site = findSharedSite(db, slug);
      const { language, t } = sayFor(pages, c);
      if (!site) {
        const body = html`<p>${t('Its owner has ended it, or made a new one.')}</p>`;
        return page({ language, status: 404, title: t('This link does not work'), body });
      }
      const boot = {
        share: { slug, domain: site.domain, timeZone: site.timeZone, mainGoal: site.main_goal_id },
        email: null,
        server: false,
        factors: false,
        mails: false,
        language,
      };
      const origins = listEmbeds(db, site.id).map(({ origin }) => origin);
      return dashboardAnswer(shell(dashboard, `${site.domain} · daybook`, boot), origins);
    },
  });

  mountPath(app, '/assets/:name', {
    GET(c) {
      const asset = dashboard.assets.get(c.req.param('name') ?? '');
      if (!asset) throw new Problem('not_found');
      return assetFor(asset, c);
    },
  });
}
