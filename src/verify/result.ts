// The result that verify.html shows: whether all checks passed, and a row for each day. The result also has the hash of
// the last receipt, which people should save.
//
// Invariant: the row of a day with a failed check says what is wrong, in the language of the page.
//
// Example: the row of 12 October has "The signature is wrong" in red, and the figures as they were signed.

import type { CheckedChain } from '../receipts/check-chain.ts';
import type { DayReport, Report } from '../receipts/report.ts';
import { element } from './element.ts';
import type { Message, PageTexts } from './texts.ts';

export function makeResult(texts: PageTexts, chain: CheckedChain, report: Report): HTMLElement {
  const { t, plural, writeFault, writeDay, language } = texts;
  const { days, faults, unsigned, holds } = report;
  const fine = days.filter((day) => day.faults.length === 0).length;
  const number = new Intl.NumberFormat(language);
  const site = chain.receipts.at(-1)?.receipt?.site ?? '';
  const last = chain.last ?? '';
  return element(
    'section',
    {},
    element('h2', { className: holds ? 'good' : 'bad' }, holds ? t('All checks passed') : t('Some checks failed')),
    element(
      'p',
      {},
      [
        site,
        t('{fine} of {all} days passed', { fine: number.format(fine), all: number.format(days.length) }),
        plural(chain.receipts.length, '{count} receipt', '{count} receipts'),
      ]
        .filter(Boolean)
        .join(' · '),
    ),
    faults.length > 0
      ? element('ul', { className: 'bad' }, ...faults.map((fault) => element('li', {}, writeFault(fault))))
      : undefined,
    unsigned.length > 0
      ? element(
          'p',
          {},
          plural(
            unsigned.length,
            '{count} day of the export has no receipt yet',
            '{count} days of the export have no receipt yet',
          ),
        )
      : undefined,
    last === ''
      ? undefined
      : element(
          'p',
          {},
          t('Save this hash of the last receipt elsewhere. Later, it shows whether receipts were replaced:'),
          ' ',
          element('code', {}, last),
        ),
    ...chain.keys.map((key) =>
      element(
        'p',
        { className: 'soft' },
        t('Signed with this key. Compare it with the key of the server, because anyone can sign:'),
        ' ',
        element('code', {}, key),
      ),
    ),
    days.length > 0 ? makeTable(texts, days, { number, writeDay }) : undefined,
  );
}

type Formats = { number: Intl.NumberFormat; writeDay(date: string): string };

function makeTable(
  { t, writeFault }: PageTexts,
  days: readonly DayReport[],
  { number, writeDay }: Formats,
): HTMLElement {
  const heads: Message[] = ['Date', 'Result', 'Visitors', 'Visits', 'Pageviews', 'Events', 'Receipts'];
  const figures = ['visitors', 'visits', 'pageviews', 'events'] as const;
  const rows = days.map((day) => {
    const { date, faults, receipt, receipts } = day;
    const said = faults.length === 0 ? [t(chooseResult(day))] : faults.map(writeFault);
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, writeDay(date)),
      element(
        'td',
        { className: faults.length === 0 ? 'good' : 'bad' },
        ...said.map((text) => element('div', {}, text)),
      ),
      ...figures.map((name) => element('td', { className: 'number' }, number.format(receipt.figures[name]))),
      element('td', { className: 'number' }, number.format(receipts)),
    );
  });
  const head = element(
    'tr',
    {},
    ...heads.map((text, i) => element('th', { scope: 'col', className: i > 1 ? 'number' : '' }, t(text))),
  );
  const table = element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows));
  const box = element('div', { className: 'scroll', tabIndex: 0 }, table);
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', t('Results by day'));
  return box;
}

function chooseResult({ receipt: { kind }, compared }: DayReport): Message {
  if (kind === 'sums') return 'Valid receipt (daily totals only)';
  if (kind === 'none') return 'Valid receipt (the day was removed)';
  return compared ? 'Valid receipt, equal to the export' : 'Valid receipt';
}
