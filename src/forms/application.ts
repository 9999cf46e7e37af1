// The pages that load the dashboard, and the files of the dashboard.
//
// The server knows only the paths of the dashboard. The script in the browser decides what each path shows. The page
// contains a JSON element with values that the script needs immediately. Examples are the user, the language, and the
// site of a share link. Without a session the server redirects to /sign-in. Before the first user exists, the page says
// so.
//
// A share link shows one site to anybody. The origins that the site allows may show this page in a frame. The names of
// the files contain a hash, so browsers may keep the files for a long time. `mount.ts` calls `mountApplication`.

import type { Hono } from 'hono';
import type { Asset, Dashboard } from '../embedded/dashboard.ts';
import { light } from '../embedded/palette.ts';
import type { Language } from '../lang/languages.ts';
import { Problem } from '../lib/errors.ts';
import { answerDashboard, answerFile, isAccepted, redirect } from '../lib/http/answer.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { isFirstAccount } from '../store/people/accounts.ts';
import { hasFactors } from '../store/people/second-factors.ts';
import { hasUsers } from '../store/people/users.ts';
import { listEmbeds } from '../store/sites/embeds.ts';
import { findSharedSite } from '../store/sites/sites.ts';
import type { C } from './form.ts';
import { type Html, html, writePage } from './html.ts';
import { chooseLanguage, chooseSay } from './language.ts';
import type { Pages } from './link.ts';
import { makePageSay, type PageSay } from './say.ts';
import { readSignedIn } from './session.ts';

/** The paths of the dashboard. The script in `src/dashboard` decides what each path shows. */
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

/** The values that the script of the dashboard needs before its first request. */
export type Boot = {
  share: { slug: string; domain: string; timeZone: string; mainGoal: number | null } | null;
  email: string | null;
  /** Whether this user may see the page about the server. */
  server: boolean;
  factors: boolean;
  mails: boolean;
  language: Language;
};

const shape = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='${light.accent}'/><path d='M4 12V8M8 12V4M12 12V6' stroke='${light.on}' stroke-width='2'/></svg>`;
const ICON = `data:image/svg+xml,${shape.replaceAll(/[<>#]/g, encodeURIComponent)}`;

export function mountApplication(app: Hono<Env>, pages: Pages): void {
  const { db, dashboard, post } = pages;

  function showDashboard(c: C): Response {
    const who = readSignedIn(pages, c);
    if (who) {
      const { userId, email, accountId } = who;
      const own = { server: isFirstAccount(db, accountId), factors: hasFactors(db, userId) };
      const boot = { share: null, email, ...own, mails: post.works, language: chooseLanguage(pages, c) };
      return answerDashboard(writeShell(dashboard, 'daybook', boot), []);
    }
    if (!hasUsers(db)) return answerNotSetUp(chooseSay(pages, c));
    const { pathname, search } = new URL(c.req.url);
    return redirect(pathname === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(pathname + search)}`);
  }

  for (const path of PATHS) mountPath(app, path, { GET: showDashboard });

  mountPath(app, '/share/:slug', {
    GET(c) {
      const slug = c.req.param('slug') ?? '';
      const site = findSharedSite(db, slug);
      const { language, t } = chooseSay(pages, c);
      if (!site) {
        const body = html`<p>${t('The owner of the site has turned this link off, or replaced it.')}</p>`;
        return writePage({ language, status: 404, title: t('This link does not work'), body });
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
      return answerDashboard(writeShell(dashboard, `${site.domain} · daybook`, boot), origins);
    },
  });

  mountPath(app, '/assets/:name', {
    GET(c) {
      const asset = dashboard.assets.get(c.req.param('name') ?? '');
      if (!asset) throw new Problem('not_found');
      return answerAsset(asset, c);
    },
  });
}

function answerAsset({ type, brotli, gzip, plain }: Asset, c: C): Response {
  const accepted = c.req.header('Accept-Encoding') ?? '';
  if (isAccepted('br', accepted)) return answerFile(brotli, type, 'br');
  return isAccepted('gzip', accepted) ? answerFile(gzip, type, 'gzip') : answerFile(plain(), type, undefined);
}

function answerNotSetUp({ language, t }: PageSay): Response {
  const sentence = t('This server is not set up yet. Open the link from the terminal in which you started it.');
  return writePage({ language, status: 200, title: t('This is a daybook server'), body: html`<p>${sentence}</p>` });
}

const writeShell = (dashboard: Dashboard, title: string, boot: Boot): string =>
  html`<!doctype html>
<html lang="${boot.language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<link rel="stylesheet" href="/assets/${dashboard.style}">${writeTags(listScripts(dashboard, boot.language))}
<link rel="icon" href="${ICON}"></head>
<body aria-busy="true"><div id="app"></div><script type="application/json" id="boot">${writeBoot(boot)}</script>
<noscript><p>${makePageSay(boot.language).t('The dashboard needs JavaScript. The API does not: {url}', { url: '/api/v1/openapi.json' })}</p></noscript></body>
</html>
`.html;

/**
 * Writes the script elements. The first script imports the other scripts. With `modulepreload` the browser loads all of
 * them at once, which saves the time of one request.
 */
const writeTags = ([main = '', ...ahead]: readonly string[]): Html =>
  ahead
    .map((name) => html`<link rel="modulepreload" href="/assets/${name}">`)
    .reduce((all, one) => html`${all}${one}`, html`<script type="module" src="/assets/${main}"></script>`);

const listScripts = ({ scripts, texts }: Dashboard, language: Language): string[] => [...scripts, texts[language]];

/** Writes the values as JSON in a script element. Each < is escaped, because only a < could end the element. */
const writeBoot = (boot: Boot): { html: string } => ({ html: JSON.stringify(boot).replaceAll('<', '\\u003c') });
