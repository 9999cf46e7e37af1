import type { DashboardMessage } from '../../lang/dashboard.ts';
import { t } from './texts.ts';

/** Names and explanations for the reasons why hits are dropped. The keys are the API's names of the reasons. */
const DROP_REASONS: Record<string, { name: DashboardMessage; why: DashboardMessage }> = {
  bot: { name: 'Bots', why: 'Programs that say what they are, and browsers steered by a program.' },
  crawler: { name: 'AI crawlers', why: 'Counted apart, in the panel above.' },
  'foreign-host': { name: 'Other hosts', why: 'Pages that use the script of this site but are not on its domain.' },
  'unknown-site': { name: 'Unknown sites', why: 'Sent for a site that is not set up here.' },
  spam: { name: 'Spam', why: 'Visits from sources that are known for false ones.' },
  excluded: { name: 'Excluded addresses', why: 'From addresses that this server does not count, such as your own.' },
  prefetch: { name: 'Loaded ahead', why: 'Pages that a browser fetched before anybody opened them.' },
  flood: { name: 'Floods', why: 'More from one address in a moment than people send.' },
  'day-full': { name: 'Full days', why: 'More than a day of a site may have on this server.' },
  'no-visit': {
    name: 'Late signals',
    why: 'Reading time whose visit had ended or was not counted.',
  },
  'too-late': { name: 'Too late', why: 'Sent by a server when their day was already closed.' },
};

/**
 * Returns the texts for a reason. A newer server may send an unknown reason. The page then shows the reason's name from
 * the API.
 */
export function dropReason(reason: string): { name: string; why: string } {
  const known = DROP_REASONS[reason];
  return known ? { name: t(known.name), why: t(known.why) } : { name: reason, why: '' };
}
