// The page /privacy: what daybook keeps, and whether this server has deleted what it must delete.
//
// The page shows two stored results. One is the nightly search for salts, on the server and on each collector
// (jobs/forgetting.ts). The other is the last run of `daybook prove-forgetting`. Without `--privacy-page public`, a
// stranger is asked to sign in.
//
// Invariant: the page has no names of sites or people, and no paths of files (test/forms/privacy-page.test.ts).
// mount.ts mounts the page.

import type { Hono } from 'hono';
import { type Coded, coded } from '../lang/coded.ts';
import { inLanguage } from '../lang/translated-sentences.ts';
import { redirect } from '../lib/http/answer.ts';
import { readCoded } from '../lib/http/fault.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { seconds } from '../lib/time.ts';
import { listCollectorSearches } from '../store/server/collector-searches.ts';
import { findUpkeep } from '../store/server/upkeep.ts';
import { type Html, html, writePage } from './html.ts';
import { chooseSay } from './language.ts';
import type { Pages } from './link.ts';
import type { PageMessage, PageSay } from './say.ts';
import { readViewer } from './session.ts';

const KEPT: PageMessage[] = [
  'For each visit: pages, events and times, how long and how far pages were seen, the previous website and campaign tags. Also the country, the language, the browser, the system, the type of device and the size class of the window.',
  'If a site switches it on: the region and city, and how fast its pages are.',
  'What a site sends itself, such as the plan of a customer.',
];

const NOT_KEPT: PageMessage[] = [
  'IP addresses and user agents are used only in memory. They are not stored and not logged.',
  'Nothing is stored on the devices of visitors, except an opt-out. Visitors get no cookies.',
  'A code tells the visitors of one site on one day apart. Its key, the salt, is deleted when the day is over. Nobody can then be recognized by it.',
  'Nothing is sent to the developers of daybook.',
];

export function mountPrivacyPage(app: Hono<Env>, pages: Pages): void {
  const { config, db, clock } = pages;
  mountPath(app, '/privacy', {
    GET(c) {
      if (config.privacyPage !== 'public' && !readViewer(pages, c)) return redirect('/sign-in?next=%2Fprivacy');
      const say = chooseSay(pages, c);
      const { language, t } = say;
      const [own, proof] = [findUpkeep(db, 'forgetting'), findUpkeep(db, 'proof')];
      const body = html`<h2>${t('What is kept')}</h2>
${writeList(KEPT, say)}
<h2>${t('What is not kept')}</h2>
${writeList(NOT_KEPT, say)}
<h2>${t('Search for salts of past days')}</h2>
<p>${t('Once a day, the server searches its own files for the salts that it deleted.')}</p>
${writeResult(own && { ...own, words: readCoded(own.words) }, `${inLanguage(coded('no_forgetting'), language)}.`, say)}
${own ? writeAll(listCollectorSearches(db, seconds(clock)), say) : html``}
<h2>${t('Proof with a made-up visitor')}</h2>
<p>${t('The operator can run a proof: the program counts a made-up visitor in a new file or database, and lets the day end. It then searches for the IP address, user agent, salt and code.')}</p>
${writeResult(proof && { ...proof, words: readCoded(proof.words) }, t('This proof was not run yet.'), say)}`;
      const headers = { Vary: 'Accept-Language, Cookie' };
      return writePage({ language, status: 200, title: t('What this server keeps and forgets'), body, headers });
    },
  });
}

const writeList = (messages: readonly PageMessage[], { t }: PageSay): Html =>
  html`<ul>${{ html: messages.map((one) => html`<li>${t(one)}</li>`.html).join('') }}</ul>`;

type Result = { at: number; fine: boolean; words: Coded };

const writeAll = (results: readonly Result[], say: PageSay): Html => ({
  html: results.map((one) => writeResult(one, '', say).html).join(''),
});

function writeResult(note: Result | undefined, nothing: string, { language }: PageSay): Html {
  if (!note) return html`<p class="soft">${nothing}</p>`;
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const sentence = `${inLanguage(note.words, language)}.`;
  const when =
    note.at > 0
      ? html`<br>
<small>${time.format(note.at * 1000)} UTC</small>`
      : html``;
  return html`<p${note.fine ? html`` : html` class="error"`}>${sentence}${when}</p>`;
}
