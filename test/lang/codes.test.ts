import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coded } from '../../src/lang/coded.ts';
import { FINDINGS } from '../../src/lang/codes/findings.ts';
import { CODES } from '../../src/lang/codes.ts';
import { dashboardTexts } from '../../src/lang/dashboard.ts';
import { LANGUAGES } from '../../src/lang/languages.ts';
import { inEnglish } from '../../src/lang/sentences.ts';
import { inLanguage } from '../../src/lang/translated-sentences.ts';
import { sentencesIn, textsIn } from '../../src/lang/translations.ts';

const ALL = Object.entries(CODES) as [keyof typeof CODES, string][];

/** The places of a template by their names and kinds, without the words of counts. */
const placesIn = (sentence: string): string[] =>
  [...sentence.matchAll(/\{(\w+(?::\w+)?)(\|[^|}]*\|[^|}]*)?\}/g)].map(([, place = '']) => place).sort();

test('each code has a sentence in each language, with the same values', () => {
  for (const [code, english] of ALL) {
    for (const language of LANGUAGES) {
      const sentence = sentencesIn(language)[code];
      assert.notEqual(sentence.trim(), '', `${code} in ${language}`);
      assert.deepEqual(new Set(placesIn(sentence)), new Set(placesIn(english)), `${code} in ${language}`);
      assert.doesNotMatch(sentence.replaceAll(/\{[^{}]*\}/g, ''), /[{}|]/, `${code} in ${language}`);
    }
  }
});

test('no code is the text of a message, as a page has both in one table', () => {
  assert.deepEqual(
    Object.keys(CODES).filter((code) => code in textsIn('dashboard', 'de')),
    [],
  );
  assert.equal(dashboardTexts('de').left_out, sentencesIn('de').left_out);
});

test('a code is said in English with its values, counts with their words, and the domain of one site before', () => {
  const said = (visits: number, exclusions: number) => inEnglish(coded('visits_excluded', { visits, exclusions }));
  assert.equal(said(1, 1), '1 visit is excluded by 1 exclusion.');
  assert.equal(said(1234, 2), '1234 visits are excluded by 2 exclusions.');
  const days = [
    { from: '2026-01-01', to: '2026-01-03' },
    { from: '2026-02-01', to: '2026-02-01' },
  ];
  const { code, values } = coded('other_time_zone', { zone: 'UTC', own: 'Europe/Berlin', days });
  const sentence =
    'These days were counted in UTC, before the time zone changed to Europe/Berlin: 2026-01-01 to 2026-01-03, 2026-02-01.';
  assert.equal(inEnglish({ code, values }), sentence);
  assert.equal(inEnglish({ code, values: { ...values, site: 'example.com' } }), `example.com: ${sentence}`);
});

test('what is to be typed is marked alike in each language, and the marks are for the dashboard only', () => {
  const marked = (sentence: string) => [...sentence.matchAll(/`([^`]*)`/g)].map(([, typed]) => typed).sort();
  let marks = 0;
  for (const [code, english] of ALL) {
    for (const language of LANGUAGES) {
      const sentence = sentencesIn(language)[code];
      assert.equal(sentence.split('`').length % 2, 1, `${code} in ${language}`);
      assert.deepEqual(marked(sentence), marked(english), `${code} in ${language}`);
    }
    marks += marked(english).length;
  }
  for (const [code, english] of Object.entries(FINDINGS))
    assert.doesNotMatch(english.replaceAll(/`[^`]*`/g, ''), /--[a-z]|daybook [a-z]+ (?:FILE|--)/, code);
  assert.ok(marks > 20);
  assert.equal(inEnglish(coded('no_check')), 'daybook check has not been run yet');
  assert.equal(dashboardTexts('en').no_check, '`daybook check` has not been run yet');
});

test('codes inside a sentence are said in its language: what waits and why, and what a server lacks', () => {
  const since = '2026-03-10T12:00:00Z';
  const job = coded('job_visitor_codes', { since, reason: [coded('not_done_yet')] });
  const unsealed = coded('day_unsealed', { domain: 'a.example', date: '2026-03-09', reason: 'EIO' });
  const sealing = coded('job_sealing', { since, reason: [coded('days_unsealed', { days: [unsealed, unsealed] })] });
  const jobs = coded('jobs_wait', { jobs: [job, sealing] });
  const cannot = 'a.example 2026-03-09 cannot become final (EIO)';
  assert.equal(
    inEnglish(jobs),
    `Waiting jobs: deleting old data (since ${since}: still running); making past days final (since ${since}: ${cannot}; ${cannot})`,
  );
  assert.match(
    inLanguage(jobs, 'de'),
    /alte Daten löschen \(seit .*noch nicht fertig\); Abschluss vergangener Tage \(seit .*endgültig werden/,
  );
  const state = [
    coded('server_silent'),
    coded('server_filling_step', { since, step: [coded('fill_waits', { senders: [coded('sender_primary')] })] }),
  ];
  assert.equal(
    inEnglish(coded('server_state', { url: 'http://a/', state })),
    `http://a/ does not answer; getting its data since ${since}: waiting for the primary`,
  );
  assert.equal(
    inLanguage(coded('server_state', { url: 'http://a/', state }), 'es'),
    `http://a/ no responde; recibe sus datos desde el ${since}: esperando: el primario`,
  );
});
