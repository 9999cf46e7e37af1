// verify.html: a page that checks receipts in the browser, and compares an export with the receipts.
//
// Invariant: the page requests only the receipts of a site, and only from the server that it came from. The page is one
// file, and also works without a server. People may store a copy of this file. Then no server can change how the copy
// checks receipts.
//
// Example: somebody opens the page, chooses a file with receipts and an export, and sees each day with its result.
//
// embedded/bundle.ts makes the file. `daybook verify` checks receipts with the same code.

import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../lang/languages.ts';
import { checkChain } from '../receipts/check-chain.ts';
import { digestExport, UnreadableExport } from '../receipts/read-export.ts';
import { reportDays } from '../receipts/report.ts';
import { chooseCrypto } from './browser-crypto.ts';
import { element } from './element.ts';
import { type Asked, makeForm, readLink } from './form.ts';
import { makeResult } from './result.ts';
import { NoReceipts, readPieces, readSource } from './source.ts';
import { chooseLanguage, makeTexts, type PageTexts } from './texts.ts';

const crypto = chooseCrypto(globalThis.crypto?.subtle);
const output = element('div', {});
output.setAttribute('role', 'status');

async function check(texts: PageTexts, asked: Asked): Promise<void> {
  output.setAttribute('aria-busy', 'true');
  output.replaceChildren(element('p', {}, texts.t('Checking the receipts …')));
  try {
    output.replaceChildren(await makeReport(texts, asked));
  } catch (error) {
    output.replaceChildren(element('p', { className: 'bad' }, explain(texts, error)));
  }
  output.removeAttribute('aria-busy');
}

async function makeReport(texts: PageTexts, asked: Asked): Promise<HTMLElement> {
  const receipts = await readSource(asked);
  const chain = await checkChain(await crypto, receipts, asked.hash === '' ? {} : { hash: asked.hash });
  const hits = asked.export && (await digestExport(await crypto, readPieces(asked.export)));
  return makeResult(texts, chain, reportDays(chain, hits));
}

function explain({ t }: PageTexts, error: unknown): string {
  if (error instanceof UnreadableExport) return t('Line {line} of the export cannot be read.', { line: error.line });
  if (error instanceof NoReceipts) return t('No receipts were found there.');
  return t('Something went wrong: {reason}', { reason: String((error as Error).message) });
}

function show(language: Language): void {
  const texts = makeTexts(language);
  const { t } = texts;
  document.documentElement.lang = language;
  document.title = `${t('Check receipts')} · daybook`;
  const hasServer = /^https?:$/.test(location.protocol);
  const link = readLink(location.hash);
  const form = makeForm(texts, { ...link, hasServer, check: (asked) => check(texts, asked) });
  const languages = element(
    'select',
    { onchange: () => show(languages.value as Language) },
    ...LANGUAGES.map((one) =>
      element('option', { value: one, lang: one, selected: one === language }, LANGUAGE_NAMES[one]),
    ),
  );
  languages.setAttribute('aria-label', t('Language of this page'));
  output.replaceChildren();
  document.body.replaceChildren(
    element('header', {}, element('strong', {}, 'daybook'), languages),
    element(
      'main',
      {},
      element('h1', {}, t('Check receipts')),
      element(
        'p',
        {},
        t(
          'A receipt says what a site had counted on a day. This page checks whether receipts or hits were changed later. It cannot check whether visitors were people, or when a receipt was made.',
        ),
      ),
      element(
        'p',
        { className: 'soft' },
        t('Everything is computed in your browser. You can save this page and use it without a server.'),
      ),
      form,
      output,
    ),
  );
  if (hasServer && link.site !== '') form.requestSubmit();
}

show(chooseLanguage(navigator.languages));
