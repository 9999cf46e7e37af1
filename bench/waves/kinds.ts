import type { Dice } from '../../src/demo/dice.ts';
import { countryOf, ONE_PAGE, pageOf, type Seen, type Site } from './site.ts';

type Kind = (site: Site, dice: Dice) => () => Seen;

/** Finds a browser with a property, by trying. All browsers of a site have some share. */
function agentWhere(site: Site, wanted: (one: ReturnType<Site['agent']>) => boolean): ReturnType<Site['agent']> {
  for (;;) {
    const agent = site.agent();
    if (wanted(agent)) return agent;
  }
}

const LOGINS = 25;

/**
 * The kinds of waves. A property that a kind does not set is like that of real people, so bots are as hard to recognize
 * as possible. In some kinds, each bot opens one page.
 */
export const KINDS: Record<string, Kind> = {
  'one country without source': (site, { between }) => {
    const country = countryOf(between(5, 60));
    return () => ({ ...site.somebody(), country, source: '', pageviews: ONE_PAGE });
  },
  'spam of one source': (site, { chance }) => {
    return () => ({ ...site.somebody(), source: 'cheap-visits.example', ...(chance(0.8) ? { entry: pageOf(1) } : {}) });
  },
  'one browser and system': (site) => {
    const agent = agentWhere(site, ({ os }) => os === 'Linux');
    return () => ({ ...site.somebody(), ...agent, source: '', pageviews: ONE_PAGE });
  },
  'two countries of data centres': (site, { between, chance }) => {
    const first = between(5, 60);
    const countries = [countryOf(first), countryOf(first + between(1, 10))] as const;
    return () => ({ ...site.somebody(), country: countries[chance(0.6) ? 0 : 1], source: '' });
  },
  'one page': (site, { between }) => {
    const entry = pageOf(between(20, 500));
    return () => ({ ...site.somebody(), entry, source: '', pageviews: ONE_PAGE });
  },
  'entry page and device': (site, { between, chance }) => {
    const entry = pageOf(between(3, 20));
    const device = chance(0.5) ? 'Mobile' : 'Desktop';
    return () => ({ ...site.somebody(), ...agentWhere(site, (one) => one.device === device), entry, source: '' });
  },
  'all countries alike, one browser and system': (site, { between }) => {
    const agent = agentWhere(site, ({ browser }) => browser === 'Firefox' || browser === 'Opera');
    return () => ({ ...site.somebody(), ...agent, country: countryOf(between(1, 80)), source: '' });
  },
  'source and device': (site, { between }) => {
    const source = `source-${between(5, 40)}.example`;
    return () => ({ ...site.somebody(), ...agentWhere(site, ({ device }) => device === 'Desktop'), source });
  },
  'paths of logins': (site, { roll }) => {
    // The first few of these pages are requested most often.
    return () => ({ ...site.somebody(), entry: `/login-${Math.floor(roll() ** 1.5 * LOGINS)}.php`, source: '' });
  },
  /**
   * In this kind, the visitors are real people. The suggestion finds where they come from, but wrongly takes them for
   * bots.
   */
  'front page of a news site': (site, { chance, between }) => {
    const entry = pageOf(between(2, 300));
    return () => ({ ...site.somebody(), entry, source: chance(0.9) ? 'news.example' : '' });
  },
};
