// Writes the message about the effect of a note. A note says what happened on a day, such as a release. Its effect is
// how the figures changed after this day. The message has the notes of one day, and compares the figures of the two
// weeks before and after it.
//
// Invariant: the message says for each figure whether its change may be chance. The message also names all days that
// could not be compared.
//
// Example: "Visitors 1,300 → 1,560, +20.0%. Beyond chance: Visitors. May be chance: Visits and Bounce rate." effects.ts
// counts the figures, and calls `writeEffects`.

import { type Coded, coded } from '../lang/coded.ts';
import { inLanguage } from '../lang/translated-sentences.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { EFFECT_DAYS, type Effect, LEAST_PAIRS } from '../stats/effects.ts';
import type { Target } from '../store/sites/goals.ts';
import type { Note } from '../store/sites/notes.ts';
import { shown } from './figures.ts';
import { type Block, dashboardUrl, type Letter, type LetterCell } from './letter.ts';
import { nameGoal } from './reports.ts';
import type { MailMessage, Voice } from './voice.ts';

export type Subject = { day: number; notes: Pick<Note, 'id' | 'text' | 'url'>[] };
/**
 * `change` is in percent. For the bounce rate, `before` and `after` are in percent, and `change` is in percentage
 * points. `before` and `after` are null if the figure is unknown for all compared days. For example, an import may not
 * have bounces.
 */
export type Figure = Pick<Effect, 'change' | 'verdict'> & {
  name: keyof typeof NAMES;
  before: number | null;
  after: number | null;
  goal?: Omit<Target, 'type'>;
};
export type Measured = { pairs: number; figures: Figure[]; notCompared: Coded[] };
export type Details = Subject & Measured;

export function writeEffects(details: Details, domain: string, baseUrl: string, voice: Voice): Letter {
  const { t, dayLong } = voice;
  const { day, notes } = details;
  const [first, ...others] = notes;
  const more = others.length === 0 ? '' : ` +${others.length}`;
  const subject = t('{domain}: two weeks after “{note}”', { domain, note: `${shown(first?.text ?? '')}${more}` });
  const range = `${formatDay((day - EFFECT_DAYS) * DAY)}~${formatDay((day + EFFECT_DAYS) * DAY)}`;
  return {
    subject,
    title: subject,
    blocks: [
      ...notes.slice(0, MOST_NOTES).map(
        ({ text, url }): Block => ({
          kind: 'words',
          words: `${dayLong(day * DAY)}: ${shown(text, LONGEST_NOTE)}`,
          ...(url !== null && { link: { words: t('Open the page of this note'), url } }),
        }),
      ),
      ...(details.figures.length === 0 ? [] : describeFigures(details, voice)),
      ...describeMissing(details, voice),
    ],
    link: { words: t('Open the dashboard'), url: dashboardUrl(baseUrl, domain, range) },
  };
}

const MOST_NOTES = 5;
/** In the message, a note is cut after this many characters. */
const LONGEST_NOTE = 200;

const NAMES = {
  visitors: 'Visitors',
  visits: 'Visits',
  bounce_rate: 'Bounce rate',
  conversions: 'Conversions',
} as const satisfies Record<string, MailMessage>;

const VERDICTS: readonly [MailMessage, readonly Effect['verdict'][]][] = [
  ['Beyond chance: {figures}.', ['up', 'down']],
  ['May be chance: {figures}.', ['unclear']],
  ['Too little was counted to compare: {figures}.', ['too_few_counted', 'too_few_days']],
];

function describeFigures({ pairs, figures }: Details, voice: Voice): Block[] {
  const { t, list } = voice;
  const name = ({ name, goal }: Figure) => (goal ? `${t(NAMES[name])} (${nameGoal(goal, voice)})` : t(NAMES[name]));
  const verdicts = VERDICTS.flatMap(([text, verdicts]) => {
    const own = figures.filter(({ verdict }) => verdicts.includes(verdict)).map(({ name }) => t(NAMES[name]));
    return own.length === 0 ? [] : [t(text, { figures: list(own) })];
  });
  return [
    {
      kind: 'table',
      heading: t('Figures'),
      columns: [t('Before'), t('After'), t('Change')],
      rows: figures.map((one) => [{ words: name(one) }, ...writeFigure(one, voice)]),
    },
    { kind: 'words', words: verdicts.join(' ') },
    {
      kind: 'words',
      words: t('{days} days after are compared with {days} days before, in pairs of equal weekdays.', { days: pairs }),
    },
  ];
}

/** Writes a figure before and after the note, with its change. Only a change beyond chance has a colour. */
function writeFigure({ name, before, after, change, verdict }: Figure, voice: Voice): LetterCell[] {
  const { known, number, percent } = voice;
  const [write, cell] =
    name === 'bounce_rate' ? [percent, voice.changeInPoints(change, -1)] : [number, voice.change(change, 1)];
  const isCertain = verdict === 'up' || verdict === 'down';
  return [{ words: known(before, write) }, { words: known(after, write) }, isCertain ? cell : { words: cell.words }];
}

/**
 * Says which days could not be compared. A day after the note and a day before it with the same weekday are a pair. If
 * there are fewer than `LEAST_PAIRS` pairs, the message has no figures, and says why.
 */
function describeMissing({ pairs, figures, notCompared }: Details, { language }: Voice): Block[] {
  const few =
    figures.length === 0 ? [coded('too_few_days', { days: pairs, all: EFFECT_DAYS, needed: LEAST_PAIRS })] : [];
  return [...few, ...notCompared].map((one) => ({ kind: 'words', words: inLanguage(one, language) }));
}
