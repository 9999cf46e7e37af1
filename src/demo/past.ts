// The past of a demo site: hits, crawls and drops of 730 days, made from a scenario and a seed.
//
// Equal seeds lead to equal pasts, day by day. Therefore a demo can be tested (test/cli/demo.long.test.ts). The visitor
// codes of a day are the numbers 1, 2, 3 and so on. `daybook demo` imports the hits (src/cli/demo.ts).

import { readAgent } from '../classify/agent.ts';
import { findScreen } from '../classify/screen.ts';
import { orderTexts, type ParsedHit } from '../exchange/reading/file-hits.ts';
import { DAY, HOUR } from '../lib/time.ts';
import { findZone } from '../lib/zone.ts';
import { writeProperties } from '../stats/properties.ts';
import type { Dice, Weights } from './dice.ts';
import { findDepth, findProperties, findVitals } from './measures.ts';
import { findTown, findWidth, LANGUAGES } from './people.ts';
import { DAYS, type Scenario } from './scenario.ts';
import { botVisit, progress, usualVisitors, type Visit, visit } from './visits.ts';

/** The share of visitors who visit the site a second time on the same day. */
const AGAIN = 0.1;

/** The times of bots: between 02:00 and 05:00 in the time zone of the site. */
const BOTS_FROM_TO = [2 * HOUR, 5 * HOUR] as const;

/** The mean number of requests of each AI crawler on the last day of the past. On earlier days, the mean is smaller. */
const CRAWLS: readonly (readonly [crawler: string, requests: number])[] = [
  ['gptbot', 34],
  ['claudebot', 26],
  ['chatgpt-user', 19],
  ['oai-searchbot', 14],
  ['perplexitybot', 12],
  ['meta-externalagent', 11],
  ['bytespider', 9],
  ['amazonbot', 8],
  ['applebot', 7],
  ['claude-user', 6],
  ['ccbot', 4],
  ['perplexity-user', 4],
  ['duckassistbot', 2],
  ['mistralai-user', 2],
];

/** The mean number of dropped hits in a day, by reason. */
const DROPS: Weights<string> = [
  ['bot', 41],
  ['crawler', 12],
  ['prefetch', 6],
  ['no-visit', 4],
  ['spam', 3],
  ['flood', 1],
  ['foreign-host', 1],
];

type Past = { scenario: Scenario; dice: Dice; today: number };

export function* makeHits(past: Past, now: number): Generator<ParsedHit> {
  const { scenario, dice, today } = past;
  for (const { day, ago } of days(past)) {
    const last = findZone(scenario.timeZone).findStart(day + 1) - 1;
    const end = (day === today ? now : last) - day * DAY;
    const people = dice.near(usualVisitors(scenario, { day, ago }));
    for (let visitor = people; visitor > 0; visitor--) {
      const first = visit(scenario, ago, dice);
      const start = findStart(scenario, day, dice);
      const visits = [{ visit: first, start }];
      if (dice.chance(AGAIN)) {
        const { agent, country } = first;
        visits.push({
          visit: { ...visit(scenario, ago, dice), agent, country, source: '' },
          start: findStart(scenario, day, dice),
        });
      }
      for (const { visit, start } of visits) {
        for (const hit of hitsOfVisit(visit, { day, start, last, visitor, scenario }))
          if (hit.second <= end) yield { visitor, ...hit };
      }
    }
    for (const wave of scenario.waves.filter(({ on }) => on === ago)) {
      for (let bot = 1; bot <= wave.visitors; bot++) {
        const start = findZone(scenario.timeZone).findInstant(day * DAY + dice.between(...BOTS_FROM_TO));
        for (const hit of hitsOfVisit(botVisit(scenario, wave, dice), {
          day,
          start,
          last,
          visitor: bot,
          scenario,
        })) {
          yield { visitor: people + bot, ...hit };
        }
      }
    }
  }
}

export function* makeCrawls(past: Past): Generator<{ day: number; crawler: string; page: string; requests: number }> {
  const { scenario, dice } = past;
  for (const { day, ago } of days(past)) {
    for (const [crawler, requests] of CRAWLS) {
      const pages = new Map<string, number>();
      for (let left = dice.near(requests * progress(ago) ** 2); left > 0; left--) {
        const page = dice.pick(scenario.entries);
        pages.set(page, (pages.get(page) ?? 0) + 1);
      }
      for (const [page, requests] of pages) yield { day, crawler, page, requests };
    }
  }
}

export function* makeDrops(past: Past): Generator<{ day: number; reason: string; hits: number }> {
  for (const { day } of days(past)) {
    for (const [reason, mean] of DROPS) {
      const hits = past.dice.near(mean);
      if (hits > 0) yield { day, reason, hits };
    }
  }
}

function* days({ today }: Past): Generator<{ day: number; ago: number }> {
  for (let ago = DAYS - 1; ago >= 0; ago--) yield { day: today - ago, ago };
}

/** Chooses the instant at which a visit begins. Hours with a higher weight in the scenario are more likely. */
function findStart({ hours, timeZone }: Scenario, day: number, dice: Dice): number {
  const hour = dice.pick(hours.map((weight, hour) => [hour, weight] as const));
  return findZone(timeZone).findInstant(day * DAY + hour * HOUR + dice.between(0, HOUR - 1));
}

function* hitsOfVisit(
  { agent, country, source, tags, hits }: Visit,
  {
    day,
    start,
    last,
    visitor,
    scenario,
  }: { day: number; start: number; last: number; visitor: number; scenario: Scenario },
): Generator<Omit<ParsedHit, 'visitor'>> {
  const { device, browser, browserVersion, os, osVersion } = readAgent(agent);
  const hostname = visitor % 6 === 0 ? `www.${scenario.domain}` : scenario.domain;
  const visit = {
    ...{ source, country, device, browser, browser_version: browserVersion, os, os_version: osVersion },
    ...{ screen: findScreen(findWidth(device, visitor)), language: LANGUAGES[country] ?? 'en' },
    ...findTown(country, visitor),
    ...{ utm_source: tags.source, utm_medium: tags.medium, utm_campaign: tags.campaign },
  };
  for (const { after, page, event, label, engaged, revenue } of hits) {
    const second = Math.min(start + after, last) - day * DAY;
    const properties = engaged === undefined ? writeProperties(findProperties(scenario, { page, event }, visitor)) : '';
    const texts = orderTexts({ page, hostname, event, label, properties, revenue: revenue ?? '', ...visit });
    const number = day * DAY + second + visitor;
    yield engaged === undefined
      ? { day, second, texts }
      : {
          ...{ day, second, texts, engaged, scroll: findDepth(page, engaged, number) },
          vitals: findVitals(page, { device, browser }, number),
        };
  }
}
