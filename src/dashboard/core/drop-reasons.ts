import type { DashboardMessage } from '../../lang/dashboard.ts';
import { t } from './texts.ts';

/** Names and explanations for the reasons why hits are dropped. The keys are the API's names of the reasons. */
const DROP_REASONS: Record<string, { name: DashboardMessage; why: DashboardMessage }> = {
  bot: { name: 'Bots', why: 'Declared bots and automated browsers.' },
  crawler: { name: 'AI crawlers', why: 'Counted separately, in the panel above.' },
  'foreign-host': { name: 'Other hosts', why: 'Pages on other domains that use the script of this site.' },
  'unknown-site': { name: 'Unknown sites', why: 'Sent for a site that this server does not have.' },
  spam: { name: 'Spam', why: 'Visits from known spam referrers.' },
  excluded: {
    name: 'Excluded IP addresses',
    why: 'From IP addresses that this server does not count, such as your own.',
  },
  prefetch: { name: 'Prefetched pages', why: 'Pages that a browser loaded in advance, before anyone opened them.' },
  flood: { name: 'Floods', why: 'More requests per second from one IP address than a person makes.' },
  'day-full': { name: 'Daily limit reached', why: 'Above the daily limit of a site.' },
  'no-visit': {
    name: 'Late heartbeats',
    why: 'Time on page of a visit that had ended or was not counted.',
  },
  'too-late': { name: 'Too late', why: 'Sent by a server after the day was final.' },
};

/**
 * Returns the texts for a reason. A newer server may send an unknown reason. The page then shows the reason's name from
 * the API.
 */
export function dropReason(reason: string): { name: string; why: string } {
  const known = DROP_REASONS[reason];
  return known ? { name: t(known.name), why: t(known.why) } : { name: reason, why: '' };
}
