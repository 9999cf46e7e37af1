import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Journeys } from '../../../../src/api/journeys.ts';
import { describeNotices } from '../../../../src/api/notices.ts';
import { JourneyReport } from '../../../../src/dashboard/report/panels/journeys.tsx';
import { listNotices } from '../../../../src/stats/notices.ts';
import { loaded, renderIn, SCOPE, textIn } from '../../components.tsx';

const REPORT: Journeys = {
  from: '2026-03-01T00:00:00Z',
  to: '2026-03-10T23:59:59Z',
  filters: {},
  root: {
    ...{ value: '/caf%C3%A9', visits: 40, share: 80, ended: 15 },
    next: [
      { value: '/menu', visits: 20, share: 50, ended: 20, next: [] },
      { value: '(other)', visits: 5, share: 12.5, ended: 1, next: [] },
    ],
  },
};

function shown(report: Journeys, direction: 'after' | 'before' = 'after', journey = '/caf%C3%A9'): string {
  const scope = { ...SCOPE, view: { ...SCOPE.view, journey, direction } };
  const node = <JourneyReport of={loaded(report)} root="/café" onStep={() => {}} onMore={() => {}} />;
  return textIn(renderIn(scope, node));
}

test('journeys: columns and a table say what visits saw next, and how many ended', () => {
  const text = shown(REPORT);
  assert.match(text, /^40 visits saw this page: 80\.0% of all visits\. Choose a page to follow its visits\./);
  assert.match(
    text,
    /Start \/café 40 visits · 80\.0% Step 1 \/menu 20 visits · 50\.0% Other pages 5 visits · 12\.5% Ended here 15 visits · 37\.5%/,
  );
  assert.match(text, /0 \/café 40 80\.0% 15 1 \/menu 20 50\.0% 20 1 Other pages 5 12\.5% 1 1 Ended here 15 37\.5% 15/);
  assert.match(text, /Journeys from \/menu/);
});

test('journeys: before a goal, visits began where they would have ended', () => {
  const text = shown(REPORT, 'before', 'goal:1');
  assert.match(text, /^40 visits reached this goal: 80\.0% of all visits\./);
  assert.match(text, /Began here 15 visits/);
  assert.doesNotMatch(text, /Ended here/);
});

test('journeys: without visits, the panel says what to do, but not of days that it leaves out', () => {
  const none = { ...REPORT, root: { ...REPORT.root, visits: 0, share: 0, ended: 0, next: [] } };
  assert.match(shown(none), /^No visits start here on these days\. Choose a page or a goal\./);
  const day = Date.parse('2026-03-01T00:00:00Z') / 86_400_000;
  const lacking = describeNotices(listNotices({ leftOut: [day] }));
  assert.match(shown({ ...none, ...lacking }), /Not available for these days$/);
});
