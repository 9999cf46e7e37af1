import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import type { Server } from '../../../src/api/server.ts';
import { FindingList, RequestDetails } from '../../../src/dashboard/account/server.tsx';
import { coded } from '../../../src/lang/coded.ts';
import { textIn } from '../components.tsx';

const SERVER: Server = {
  findings: [
    { name: 'version', fine: true, says: 'this is the newest' },
    {
      name: 'check',
      fine: false,
      says: 'a day differs',
      remedy: 'run daybook check at the terminal',
      remedy_codes: [coded('check_all')],
    },
    { name: 'unheard-of', fine: true, says: 'all is well' },
  ],
  request: {
    fine: false,
    says: 'it came through a proxy',
    remedy: 'start the server with --trusted-proxies 127.0.0.1',
    remedy_codes: [coded('forward_and_trust', { sender: '127.0.0.1' })],
    sender: '127.0.0.1',
    visitor: '127.0.0.1',
    believed: false,
    headers: [{ name: 'X-Forwarded-For', value: '198.51.100.7' }],
  },
};

const items = (server: Server): string[] =>
  renderToString(<FindingList server={server} />)
    .split('<li')
    .slice(1)
    .map((item) => textIn(`<li${item}`));

test('what needs attention comes first, each finding with what the server says of it and what to do', () => {
  assert.deepEqual(items(SERVER), [
    'Full verification Needs attention a day differs How to fix it: Run daybook check to verify all days. Then restore an older backup, or import the affected days again',
    'Your request Needs attention it came through a proxy How to fix it: Make the proxy send X-Forwarded-For. Then start the server with --trusted-proxies 127.0.0.1',
    'Version OK this is the newest',
    'unheard-of OK all is well',
  ]);
});

test('server page: the finding about the cluster has a title like the others', () => {
  const findings = [{ name: 'cluster', fine: true, says: 'off' }];
  assert.ok(items({ ...SERVER, findings }).includes('Cluster OK off'));
});

test('several sentences of a finding are paragraphs of their own', () => {
  const codes = [coded('check_all'), coded('forward_and_trust', { sender: '127.0.0.1' })];
  const [first] = SERVER.findings.filter(({ name }) => name === 'check');
  const findings = [{ ...first, remedy_codes: codes } as Server['findings'][number]];
  const html = renderToString(<FindingList server={{ ...SERVER, findings }} />);
  const remedy = html.split('<li').find((item) => item.includes('Full verification')) ?? '';
  assert.equal(remedy.split('class="server-remedy"')[1]?.match(/<p/g)?.length, 3);
});

test('what is to be typed is marked as code', () => {
  const html = renderToString(<FindingList server={SERVER} />);
  assert.deepEqual(
    [...html.matchAll(/<code>([^<]*)<\/code>/g)].map(([, text]) => text),
    ['daybook check', '--trusted-proxies 127.0.0.1'],
  );
});

test('how the request came is told with its sender, the visitor it counts as, and the headers of proxies', () => {
  const details = (request: Server['request']) =>
    [...renderToString(<RequestDetails request={request} />).matchAll(/<dd>(.*?)<\/dd>/g)].map(([, text = '']) =>
      textIn(text),
    );
  assert.deepEqual(details(SERVER.request), ['127.0.0.1', '127.0.0.1', 'no', 'X-Forwarded-For: 198.51.100.7']);
  assert.deepEqual(details({ ...SERVER.request, visitor: '198.51.100.7', believed: true, headers: [] }), [
    '127.0.0.1',
    '198.51.100.7',
    'yes',
    'none received',
  ]);
});
