// The sentence of a mail that says which visitors make up most of a change.
//
// Invariant: there is no sentence if chance alone may explain the change (stats/explain.ts). There is also no sentence
// if the group of visitors makes up less than half of the change (test/mail/reason.test.ts). A rise is never explained
// by visitors that became fewer, and a fall never by visitors that became more (test/jobs/custom-alerts.test.ts).
//
// Example: "Most of the change comes from visitors that have the country Germany and the channel Organic Search in
// common: 300 before, 480 now." The alert of unusual traffic calls `explainChange`, and the reports call
// `explainFigures`. Custom alerts store the reason first, and write the sentence later.
import type { DashboardMessage } from '../lang/dashboard.ts';
import { dashboardTexts } from '../lang/dashboard.ts';
import { sayIn } from '../lang/messages.ts';
import { Problem } from '../lib/errors.ts';
import { type Explanation, explainDifference, type Reason } from '../stats/difference.ts';
import { chooseMetric, type DifferenceQuestion } from '../stats/difference-cells.ts';
import type { ExplainKey } from '../stats/explain-dimensions.ts';
import { isLeftOut } from '../stats/notices.ts';
import { isPropertyKey, readPropertyName } from '../stats/table-keys.ts';
import { shown } from './figures.ts';
import type { Sources } from './kind.ts';
import type { Block } from './letter.ts';
import { PROPERTIES } from './properties.ts';
import type { MailMessage, Voice } from './voice.ts';

/**
 * `direction` is 1 if the message is about a rise, and -1 if it is about a fall. An alert compares a day with the
 * median of several weeks. To find the reason, the day is compared with only one of these weeks. A day with more
 * visitors than the median may have fewer visitors than that week. Then there is no reason.
 */
type Question = DifferenceQuestion & { direction?: number | undefined };

type Asked = Pick<Sources, 'ask' | 'log'>;

export async function explainChange(
  sources: Asked,
  question: Omit<Question, 'filters'>,
  voice: Voice,
): Promise<Block[]> {
  const reason = await findReason(sources, { ...question, filters: {} });
  return reason ? [{ kind: 'words', words: writeReason(reason, voice) }] : [];
}

/** The figures of a report that are explained. The first figure has the sentence without a name. */
const FIGURES = { visitors: 'Visitors', pageviews: 'Pageviews', visits: 'Visits' } as const satisfies Record<
  string,
  MailMessage
>;
type Figure = keyof typeof FIGURES;

/**
 * Explains the figures of a report, one after the other. One group of visitors often makes up most of the change of
 * several figures. Then these figures have one sentence about the group.
 */
export async function explainFigures(
  sources: Asked,
  question: Omit<Question, 'filters' | 'by'>,
  voice: Voice,
): Promise<Block[]> {
  const found: { figure: Figure; reason: Reason }[] = [];
  for (const figure of Object.keys(FIGURES) as Figure[]) {
    const by = figure === 'visitors' ? undefined : figure;
    const reason = await findReason(sources, { ...question, filters: {}, by });
    if (reason) found.push({ figure, reason });
  }
  const groups = Map.groupBy(found, ({ reason }) => JSON.stringify(reason.filters));
  return [...groups.values()].map((group) => ({ kind: 'words', words: writeGroup(group, voice) }));
}

function writeGroup(group: readonly { figure: Figure; reason: Reason }[], voice: Voice): string {
  const { t, list, number } = voice;
  const words = group.map(({ figure, reason }, i) => {
    const name = t(FIGURES[figure]);
    if (i > 0) return `${name} ${number(reason.previous)} → ${number(reason.total)}`;
    const sentence = writeReason(reason, voice);
    return figure === 'visitors' ? sentence : t('{name}: {reason}', { name, reason: sentence });
  });
  const [first = '', ...others] = words;
  return others.length === 0 ? first : `${first} ${t(ALSO, { figures: list(others) })}`;
}

/**
 * Finds the most important reason of a change. Returns undefined if chance alone may explain the change. Returns
 * undefined also if the reason makes up less than half of the change. The properties of visitors are unknown on a
 * totals-only day, so such days are not explained. The server may be too busy to find a reason. Then the log says so,
 * and the message has no reason (test/mail/reason.test.ts).
 */
export async function findReason(sources: Asked, { direction, ...question }: Question): Promise<Reason | undefined> {
  const explanation = await explainUnlessBusy(sources, question);
  const first = explanation?.reasons[0];
  return explanation && first?.isCertain && isMost(first, explanation, direction) ? first : undefined;
}

/**
 * Tells whether a reason makes up at least half of the change of all visitors. If another group changed the other way,
 * the number of all visitors may have stayed equal. Then no reason is most of the change.
 */
function isMost(own: Reason, all: Explanation, direction = Math.sign(all.total - all.previous)): boolean {
  const change = direction * (all.total - all.previous);
  return change > 0 && 2 * direction * (own.total - own.previous) >= change;
}

async function explainUnlessBusy({ ask, log }: Asked, question: DifferenceQuestion): Promise<Explanation | undefined> {
  try {
    const explanation = await explainDifference(ask, question);
    return explanation.notices.some(isLeftOut) ? undefined : explanation;
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'unavailable')) throw error;
    const [site, figure] = [question.siteId, chooseMetric(question) ?? 'visitors'];
    log('a change could not be explained; the message has no reason', { site, figure, reason: error.message });
    return undefined;
  }
}

const MOST: MailMessage =
  'Most of the change comes from visitors that have {properties} in common: {before} before, {now} now.';

const ALSO: MailMessage = 'They also make up most of the change of other figures: {figures}.';

/** Writes the sentence. Its numbers are of the figure that is explained, such as pageviews. */
export function writeReason({ filters, total, previous }: Reason, voice: Voice): string {
  const { t, list, number } = voice;
  const properties = (Object.entries(filters) as [ExplainKey, string][]).map(([key, value]) => {
    const values = nameValue(key, value, voice);
    return isPropertyKey(key)
      ? t('the property {name} = {values}', { name: readPropertyName(key), values })
      : t(PROPERTIES[key], { values });
  });
  return t(MOST, {
    properties: list(properties),
    before: number(previous),
    now: number(total),
  });
}

function nameValue(name: ExplainKey, value: string, { t, language }: Voice): string {
  if (value === '') return t(name === 'source' ? 'Direct' : 'Unknown');
  if (name === 'channel') {
    return sayIn<DashboardMessage>(language, dashboardTexts(language)).t(value as DashboardMessage);
  }
  if (name === 'country' || name === 'language') return nameCode(name, value, language);
  return shown(value);
}

function nameCode(name: 'country' | 'language', code: string, language: string): string {
  try {
    const names = new Intl.DisplayNames(language, { type: name === 'country' ? 'region' : 'language' });
    return names.of(code) ?? code;
  } catch {
    return shown(code);
  }
}
