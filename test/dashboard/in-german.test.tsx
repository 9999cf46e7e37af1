import './browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Crawler } from '../../src/api/answers.ts';
import { CopyList, SenderList, ServerList } from '../../src/dashboard/account/cluster.tsx';
import { PersonPart } from '../../src/dashboard/account/person.tsx';
import { PlanDetails } from '../../src/dashboard/account/plan.tsx';
import { FindingList, RequestDetails } from '../../src/dashboard/account/server.tsx';
import { TeamPart } from '../../src/dashboard/account/team.tsx';
import { AddedToken, TokensPart } from '../../src/dashboard/account/tokens.tsx';
import { conditionTexts } from '../../src/dashboard/core/conditions.ts';
import { said } from '../../src/dashboard/core/server-text.ts';
import { setLanguage } from '../../src/dashboard/core/texts.ts';
import { ExclusionsPart } from '../../src/dashboard/exclusions/exclusions.tsx';
import { DayStatusText } from '../../src/dashboard/report/chart/day-details.tsx';
import { SuggestedDraft } from '../../src/dashboard/report/chart/suggested.tsx';
import { DEVICES, EVENTS, PAGES, SOURCES, shownIn, titleOf } from '../../src/dashboard/report/model/tables.ts';
import { crawlerLines, summary } from '../../src/dashboard/report/panels/crawlers.ts';
import { DropList } from '../../src/dashboard/report/panels/drops.tsx';
import { FunnelSteps } from '../../src/dashboard/report/panels/funnel-steps.tsx';
import { GoalTable } from '../../src/dashboard/report/panels/goals.tsx';
import { Panels } from '../../src/dashboard/report/panels/panels.tsx';
import { Ranking } from '../../src/dashboard/report/panels/ranking.tsx';
import { Rows } from '../../src/dashboard/report/panels/rows.tsx';
import { CollectionPart } from '../../src/dashboard/settings/collection.tsx';
import { DeletionPart } from '../../src/dashboard/settings/deletion.tsx';
import { FunnelsPart } from '../../src/dashboard/settings/funnels.tsx';
import { GeneralPart } from '../../src/dashboard/settings/general.tsx';
import { GoalsPart } from '../../src/dashboard/settings/goals.tsx';
import { NotesPart } from '../../src/dashboard/settings/notes.tsx';
import { Seen } from '../../src/dashboard/settings/nothing-arrives.tsx';
import { NotificationsPart } from '../../src/dashboard/settings/notifications.tsx';
import { SharingPart } from '../../src/dashboard/settings/sharing.tsx';
import { coded } from '../../src/lang/coded.ts';
import { dashboardTexts } from '../../src/lang/dashboard.ts';
import { textsIn } from '../../src/lang/translations.ts';
import { COPIES, SENDERS, SERVERS } from './account/clusters.ts';
import { renderIn, SCOPE, SITE, textIn } from './components.tsx';

/** The other tests of the process go on in English. */
const inGerman = (name: string, look: () => void): void => {
  test(name, (t) => {
    setLanguage('de', dashboardTexts('de'));
    t.after(() => setLanguage('en', dashboardTexts('en')));
    look();
  });
};

/** What is said in other words in German, with anything in place of values. */
const ENGLISH = Object.entries(textsIn('dashboard', 'de'))
  .filter(([english, german]) => german !== english && /[a-z]{2}/i.test(english.replaceAll(/\{\w+\}/g, '')))
  .map(([english]) => {
    const literal = english.split(/\{\w+\}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${literal.join('.+')}$`);
  });

/** The texts of a page and of what its controls are called. */
const saidIn = (html: string): string[] => [
  ...[...html.matchAll(/>([^<]+)</g)].map(([, text = '']) => text.trim()),
  ...[...html.matchAll(/ (?:aria-label|title|placeholder|alt)="([^"]+)"/g)].map(([, text = '']) => text),
];

function assertGerman(...nodes: VNode[]): void {
  const said = nodes.flatMap((node) => saidIn(renderIn(SCOPE, node))).filter((text) => /[a-z]{2}/i.test(text));
  assert.ok(said.length > 0);
  assert.deepEqual(
    said.filter((text) => ENGLISH.some((message) => message.test(text))),
    [],
  );
}

const SHARED = { ...SITE, shared: true, public_live: true, share_url: 'https://stats.example/s/1', main_goal_id: 1 };
const part = { site: SHARED, reload() {}, mayChange: true };

inGerman('the settings of a site are in German', () => {
  assertGerman(
    <GeneralPart {...part} />,
    <CollectionPart {...part} />,
    <GoalsPart {...part} />,
    <FunnelsPart {...part} />,
    <NotesPart {...part} />,
    <NotificationsPart {...part} />,
    <ExclusionsPart {...part} />,
    <SharingPart {...part} />,
    <DeletionPart {...part} />,
    <DeletionPart {...part} site={{ ...SITE, role: 'viewer' }} />,
    <Seen seen={{ last: null, foreign: { host: 'a.example', at: '2026-03-10T12:00:00Z' } }} domain="example.com" />,
  );
});

inGerman('the settings of an account and the state of the server are in German', () => {
  const token = { id: 3, name: 'x', abilities: ['read' as const], created_at: '2026-03-10', last_used_at: null };
  const limits = { sites: 1, members: null, tokens: 3, funnels_per_site: 20 };
  const account = {
    id: 1,
    email: 'a@b.example',
    plan: 'gold',
    events_used: 9,
    events_included: 5,
    limits,
    abilities: [],
  };
  const request = { fine: true, says: 'x', sender: '::1', visitor: '::1', believed: false, headers: [] };
  const names = ['version', 'time', 'mail', 'disk', 'capacity', 'excluded', 'seal', 'backup', 'restore', 'recount'];
  const findings = names.map((name) => ({ name, fine: name === 'mail', says: 'x', remedy: 'y' }));
  assertGerman(
    <PersonPart />,
    <TeamPart />,
    <TokensPart />,
    <AddedToken token={{ ...token, token: '3|x' }} />,
    <PlanDetails account={account} />,
    <FindingList server={{ findings, request }} />,
    <RequestDetails request={request} />,
    <ServerList servers={SERVERS} />,
    <SenderList senders={SENDERS} />,
    <CopyList copies={COPIES} count={60} />,
    <CopyList copies={[]} count={0} />,
  );
});

const crawler: Crawler = { crawler: 'gptbot', name: 'GPTBot', operator: 'OpenAI', purpose: 'search', requests: 2 };
const span = { from: '2026-03-01T00:00:00Z', to: '2026-03-10T23:59:59Z' };

inGerman('the panels are in German', () => {
  const bots = { ...span, total: 2, crawlers: [crawler], pages: [] };
  const lines = crawlerLines(bots, 'crawler', '', () => {});
  const file = { name: 'x', span, rows: () => [] };
  const steps = [4, 1].map((visitors) => ({
    type: 'page' as const,
    value: '/',
    visitors,
    share_of_previous: 25,
    share_of_first: 25,
  }));
  const goal = { id: 1, type: 'event' as const, value: '/x', visitors: 2, conversions: 3, conversion_rate: 40 };
  const reasons = ['bot', 'crawler', 'spam', 'flood', 'too-late', 'prefetch'];
  assertGerman(
    <Panels visitors={3} />,
    <Ranking title="x" heading="y" unit="requests" hasShares lines={lines} file={file} none="" onDetails={() => {}} />,
    <FunnelSteps steps={steps} />,
    <GoalTable goals={[goal]} mainGoal={1} />,
    <DropList report={{ ...span, drops: reasons.map((reason) => ({ reason, hits: 2 })) }} />,
  );
  const ofRows = renderToString(<Rows head="x" unit="requests" lines={lines} />);
  assert.match(ofRows, /class="unseen"> Anfragen</);
  assert.equal(summary(bots), '2 Anfragen. Nach Zweck: Suchindex 2.');
  assert.equal(lines[0]?.note, 'OpenAI, Suche');
  assert.deepEqual(
    [PAGES, SOURCES, DEVICES, EVENTS].map((of) => titleOf(of, of.tables[0])),
    ['Seiten: Alle', 'Quellen: Referrer', 'Geräte: Gerät', 'Ereignisse: Ereignisse'],
  );
  assert.equal(shownIn(SOURCES.tables[0], ''), 'Direkt');
});

inGerman('what is excluded and how a day was counted is in German', () => {
  const draft = {
    from: '2026-03-10',
    to: '2026-03-10',
    filters: { country: 'de' },
    usual: 1,
    visitors: 9,
    visits: 9,
    pageviews: 1,
  };
  const note = 'Suggested exclusion: 9 similar visits (usually 1).';
  const exclude = async () => {};
  const html = (
    <SuggestedDraft
      draft={{ ...draft, events: 0, note }}
      points={[]}
      figure="visitors"
      exclude={exclude}
      dismiss={exclude}
    />
  );
  assertGerman(html, <DayStatusText day={undefined} drops={[]} outages={[]} settings="/" receipts="/" />);
  assert.match(textIn(renderToString(html)), /9 ähnliche Besuche\. Üblich: 1\. Das entfernt/);
  assert.deepEqual(conditionTexts({ source: { is: ['a.example', 'b.example'], unlike: ['*x*'] } }), [
    'Quelle ist a.example oder b.example',
    'Quelle enthält nicht x',
  ]);
});

inGerman('sizes, days and times of the server are written as in German', () => {
  const disk = coded('disk_years', { free: 75_500_000_000, used: 1_234_000, daily: 50_000 });
  assert.match(said(disk, ''), /^75,5 GB .*1,2 MB.*0,1 MB/);
  const late = said(coded('collector_late', { name: 'one', time: '2026-11-26T11:31:41Z' }), '');
  assert.match(late, /26\.11\.2026/);
  assert.doesNotMatch(late, /2026-11-26|41Z/);
});

inGerman('what the server says is said again in German', () => {
  assert.equal(said(coded('too_long', { most: 100 }), ''), 'Darf höchstens 100 Zeichen haben.');
  assert.equal(
    said(coded('domain_taken', { domain: 'example.com' }), ''),
    'example.com ist schon eine Website auf diesem Server.',
  );
  assert.equal(
    said(coded('left_out', { days: [{ from: '2026-01-01', to: '2026-01-03' }] }), ''),
    'Nicht enthalten, weil nur Tagessummen gespeichert sind: 1.–3. Jan. 2026.',
  );
});
