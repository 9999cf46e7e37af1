// The pages that load the dashboard, and the files of the dashboard.
//
// All paths of the dashboard get equal HTML. The script in the browser decides what each path shows. The HTML contains
// JSON with values that the script needs immediately. Examples are the user, the language and the site of a share link.
// Without a session, the server redirects to /sign-in. Before the first user exists, the page says that the server is
// not set up.
//
// A share link shows one site to anybody. If the link has a password, a page asks for the password first
// (share-password.ts). If the link has a view, the server redirects to a URL with the view's range. Websites that the
// owner of the site allows may show the page of a share link in a frame. The names of scripts and styles contain a hash
// of their content. So browsers may keep these files for a long time. `mount.ts` calls `mountApplication`.

import type { Hono } from 'hono';
import { isOpen } from '../auth/share-password.ts';
import type { Asset, Dashboard } from '../embedded/dashboard.ts';
import { light } from '../embedded/palette.ts';
import type { Language } from '../lang/languages.ts';
import { Problem } from '../lib/errors.ts';
import { answerDashboard, answerFile, isAccepted, redirect } from '../lib/http/answer.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { seconds } from '../lib/time.ts';
import { readOff } from '../stats/dimensions-off.ts';
import { FILTER_KEY } from '../stats/filter-keys.ts';
import { isOnCluster } from '../store/cluster/cluster-servers.ts';
import type { Db } from '../store/db.ts';
import { isFirstAccount } from '../store/people/accounts.ts';
import { hasFactors } from '../store/people/second-factors.ts';
import { findUserById, hasUsers } from '../store/people/users.ts';
import { listAllOff } from '../store/sites/collected-sites.ts';
import { listEmbeds } from '../store/sites/embeds.ts';
import { findShared, type Shared } from '../store/sites/shares.ts';
import { findFirstAnswers } from './first-answers.ts';
import type { C } from './form.ts';
import { html, writePage } from './html.ts';
import { INSTALL_LINKS } from './install.ts';
import { chooseLanguage, chooseSay } from './language.ts';
import type { Pages } from './link.ts';
import { makePageSay, type PageSay } from './say.ts';
import { readViewer } from './session.ts';
import { writeLost } from './share-password.ts';

/** The path of a site's page. The HTML of this page also contains the first answers of the API (first-answers.ts). */
const SITE = '/sites/:domain';
/** The paths of the dashboard. The script in `src/dashboard` decides what each path shows. */
const PATHS = [
  '/',
  '/all-sites',
  SITE,
  '/sites/:domain/settings',
  '/sites/:domain/settings/:part',
  '/account',
  '/account/:part',
  '/server',
  '/cluster',
];

export type Boot = {
  share: {
    slug: string;
    domain: string;
    timeZone: string;
    mainGoal: number | null;
    currency: string | null;
    dimensionsOff: string[];
    /** True if the share link has a view. Then the page has only the visits that pass the filters of the view. */
    isPart?: true;
    /**
     * Whether the page has the panel with figures about searches on Google. Filters do not apply to this panel, so the
     * page of a share link with a view never has it.
     */
    hasSearches: boolean;
  } | null;
  email: string | null;
  /** Whether this user may see the page about the server. */
  server: boolean;
  /** Whether this user may see the page about the cluster. Always false without a cluster. */
  cluster: boolean;
  factors: boolean;
  /** Whether the user has a password. A user who signed up through a provider has none. */
  hasPassword: boolean;
  /** The name of the provider that signs people in, if there is one. */
  provider: string | null;
  mails: boolean;
  /** Whether this is the public demo, which nobody can change. */
  isPublicDemo: boolean;
  language: Language;
};

const shape = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='${light.accent}'/><path d='M4 12V8M8 12V4M12 12V6' stroke='${light.on}' stroke-width='2'/></svg>`;
const ICON = `data:image/svg+xml,${shape.replaceAll(/[<>#]/g, encodeURIComponent)}`;

export function mountApplication(app: Hono<Env>, pages: Pages): void {
  const { db, dashboard, post } = pages;
  const isPublicDemo = pages.guest !== undefined;

  async function showDashboard(c: C): Promise<Response> {
    const who = readViewer(pages, c);
    if (who) {
      const { userId, email, accountId } = who;
      const own = {
        ...listServerPages(db, accountId),
        factors: hasFactors(db, userId),
        hasPassword: findUserById(db, userId)?.password !== null,
        provider: pages.oidc?.name ?? null,
      };
      const boot = { share: null, email, ...own, mails: post.works, isPublicDemo, language: chooseLanguage(pages, c) };
      const domain = c.req.routePath === SITE ? c.req.param('domain') : undefined;
      const answers = domain === undefined ? {} : await findFirstAnswers(app, c, domain);
      return answerDashboard(writeShell(dashboard, 'daybook', boot, answers), []);
    }
    if (!hasUsers(db)) return answerNotSetUp(chooseSay(pages, c));
    const { pathname, search } = new URL(c.req.url);
    return redirect(pathname === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(pathname + search)}`);
  }

  for (const path of PATHS) mountPath(app, path, { GET: showDashboard });

  mountPath(app, '/share/:slug', {
    async GET(c) {
      const slug = c.req.param('slug') ?? '';
      const found = findShared(db, slug, seconds(pages.clock));
      const say = chooseSay(pages, c);
      if (!found) return writeLost(say);
      const { site, share } = found;
      if (share && !isOpen(pages, share, c.req.header('Cookie'), seconds(pages.clock))) {
        return redirect(`/share/${slug}/password`);
      }
      const choices = listChoices(share?.view ?? '');
      if (choices !== '' && !c.req.url.includes('?')) return redirect(`/share/${slug}?${choices}`);
      const boot = {
        share: { slug, ...describeShare(found) },
        email: null,
        server: false,
        cluster: false,
        factors: false,
        hasPassword: false,
        provider: null,
        mails: false,
        isPublicDemo,
        language: say.language,
      };
      const origins = share?.origins ?? listEmbeds(db, site.id).map(({ origin }) => origin);
      const answers = await findFirstAnswers(app, c, site.domain, `Share ${slug}`);
      return answerDashboard(writeShell(dashboard, `${site.domain} · daybook`, boot, answers), origins);
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

function describeShare({ site, share }: Shared): Omit<NonNullable<Boot['share']>, 'slug'> {
  const isPart = typeof share?.view === 'string';
  return {
    domain: site.domain,
    timeZone: site.timeZone,
    mainGoal: site.main_goal_id,
    currency: site.currency || null,
    dimensionsOff: readOff(listAllOff(site)),
    ...(isPart && { isPart }),
    hasSearches: site.has_searches === 1 && !isPart,
  };
}

function listServerPages(db: Db, accountId: number): Pick<Boot, 'server' | 'cluster'> {
  const server = isFirstAccount(db, accountId);
  return { server, cluster: server && isOnCluster(db) };
}

/**
 * Lists the parameters of a view that are not filters, such as the range. The URL needs no filters, because the API
 * applies the filters of a view.
 */
const listChoices = (view: string): string =>
  String(new URLSearchParams([...new URLSearchParams(view)].filter(([key]) => !FILTER_KEY.test(key))));

function answerAsset({ type, brotli, gzip, plain }: Asset, c: C): Response {
  const accepted = c.req.header('Accept-Encoding') ?? '';
  if (isAccepted('br', accepted)) return answerFile(brotli, type, 'br');
  return isAccepted('gzip', accepted) ? answerFile(gzip, type, 'gzip') : answerFile(plain(), type, undefined);
}

function answerNotSetUp({ language, t }: PageSay): Response {
  const sentence = t('This server is not set up yet. Open the link from the terminal in which you started it.');
  return writePage({ language, status: 200, title: t('This is a daybook server'), body: html`<p>${sentence}</p>` });
}

/**
 * Writes the HTML that starts the dashboard. `answers` has the first answers of the API. The key of an answer is the
 * path of its request, such as /api/v1/sites/example.com/goals.
 */
const writeShell = (dashboard: Dashboard, title: string, boot: Boot, answers: Record<string, unknown>): string =>
  html`<!doctype html>
<html lang="${boot.language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<link rel="stylesheet" href="/assets/${dashboard.style}"><script type="module" src="/assets/${dashboard.script}"></script>
<link rel="modulepreload" href="/assets/${dashboard.texts[boot.language]}">
<link rel="icon" href="${ICON}">${boot.share === null ? INSTALL_LINKS : html``}</head>
<body aria-busy="true"><div id="app"></div><script type="application/json" id="answers">${writeData(answers)}</script><script type="application/json" id="boot">${writeData(boot)}</script>
<noscript><p>${makePageSay(boot.language).t('The dashboard needs JavaScript. You can use the API without JavaScript, at {url}.', { url: '/api/v1/openapi.json' })}</p></noscript></body>
</html>
`.html;

/** Writes JSON inside a script element. Each < is escaped. Otherwise a text with `</script>` would end the element. */
const writeData = (data: object): { html: string } => ({ html: JSON.stringify(data).replaceAll('<', '\\u003c') });
