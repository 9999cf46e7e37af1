import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Funnel } from '../../../../src/api/answers.ts';
import { describeNotices } from '../../../../src/api/notices.ts';
import { FunnelReport } from '../../../../src/dashboard/report/panels/funnels.tsx';
import { coded } from '../../../../src/lang/coded.ts';
import { listNotices } from '../../../../src/stats/notices.ts';
import { loaded, renderIn, SCOPE, textIn } from '../../components.tsx';

const FUNNEL: Funnel = {
  from: '2026-03-01T00:00:00Z',
  to: '2026-03-10T23:59:59Z',
  filters: {},
  funnel: { id: 1, name: 'To the order' },
  steps: [
    { type: 'page', value: '/', visitors: 120, share_of_previous: 100, share_of_first: 100 },
    { type: 'page', value: '/prices', visitors: 120, share_of_previous: 100, share_of_first: 100 },
    { type: 'event', value: 'order', visitors: 30, share_of_previous: 25, share_of_first: 25 },
  ],
};

const shown = (funnel: Funnel): string => textIn(renderIn(SCOPE, <FunnelReport of={loaded(funnel)} />));

test('a funnel shows which days it leaves out, because only daily totals are kept of them', () => {
  const days = [1, 2, 4].map((day) => Date.parse(`2026-03-0${day}T00:00:00Z`) / 86_400_000);
  const lacking = describeNotices(listNotices({ leftOut: days }));
  const { notices = [] } = lacking;
  assert.equal(notices.length, 1);
  assert.match(
    shown({ ...FUNNEL, ...lacking }),
    /^This report does not include Mar 1 – 2, 2026, Mar 4, 2026, because only daily totals are stored for these days\./,
  );
  assert.match(notices[0] ?? '', /2026-03-01 to 2026-03-02, 2026-03-04/);
  assert.doesNotMatch(shown(FUNNEL), /left out/);
});

test('a funnel says what is lost between its steps, and how many reach its end', () => {
  const text = shown(FUNNEL);
  assert.match(text, /^25.0% of 120 visitors completed all steps\./);
  assert.match(text, /\/ Page 120 visitors 100.0% No visitors dropped out \/prices Page 120 visitors 100.0%/);
  assert.match(text, /90 visitors \(75.0%\) dropped out order Event 30 visitors 25.0%/);
});

test('a funnel that nobody began says so, but not of days that it leaves out', () => {
  const steps = FUNNEL.steps.map((step) => ({ ...step, visitors: 0, share_of_previous: 0, share_of_first: 0 }));
  assert.match(shown({ ...FUNNEL, steps }), /^No visitors reached the first step on these days\./);
  const lacking = describeNotices([coded('left_out', { days: [{ from: '2026-03-01', to: '2026-03-10' }] })]);
  assert.match(shown({ ...FUNNEL, steps, ...lacking }), /for these days\. Not available for these days$/);
});

test('what is lost at a step is drawn between the bars of both', () => {
  const html = renderIn(SCOPE, <FunnelReport of={loaded(FUNNEL)} />);
  const drawn = [...html.matchAll(/class="funnel-steps-lost" d="([^"]*)"/g)].map(([, path]) => path);
  assert.deepEqual(drawn, ['M100 0V10H100z', 'M100 0V10H25z']);
});

test('funnels: on a site with a currency, a sentence says the revenue of the last step', () => {
  const steps = FUNNEL.steps.map((step, i) => (i === 2 ? { ...step, revenue: '1234.50' } : step));
  const report = <FunnelReport of={loaded({ ...FUNNEL, steps })} />;
  assert.match(
    textIn(renderIn({ ...SCOPE, currency: 'EUR' }, report)),
    /completed all steps\. Revenue of the last step: €1,234\.50 \. \/ Page/,
  );
  assert.doesNotMatch(textIn(renderIn(SCOPE, report)), /Revenue/);
});
