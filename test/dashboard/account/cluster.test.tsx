import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { CopyList, SenderList, ServerList } from '../../../src/dashboard/account/cluster.tsx';
import { textIn } from '../components.tsx';
import { COPIES, SENDERS, SERVERS } from './clusters.ts';

const itemsIn = (list: VNode, tag: string): string[] =>
  renderToString(list)
    .split(`<${tag}`)
    .slice(1)
    .map((item) => textIn(`<${tag}${item}`));

test('cluster page: each server has a word for its state, its figures, and dashes for what it does not give', () => {
  const figures =
    'Disk 60 GB of 100 GB free Memory 2 GB of 16 GB used Parts 40 Deletions 3 waiting Concurrent queries 2';
  const place = 'Shard 1, replica 2';
  assert.deepEqual(itemsIn(<ServerList servers={SERVERS} />, 'li'), [
    `one.example:8123 Complete ${place} Behind by 0s ${figures}`,
    `one.example:8123 Behind ${place} Behind by 1m 1s ${figures}`,
    `one.example:8123 Does not answer ${place} Behind by – Disk – Memory – Parts – Deletions – Concurrent queries – How to fix it: y`,
    `one.example:8123 Being filled ${place} It is being removed Behind by 0s ${figures} How to fix it: y`,
    `one.example:8123 Not in use ${place} It is being removed Behind by – ${figures} How to fix it: y`,
    `one.example:8123 Complete ${place} Behind by 0s Disk – Memory 2 GB Parts 40 Deletions 3 waiting, 1 failing Concurrent queries 2`,
  ]);
});

test('cluster page: the bar of a disk shows what is used', () => {
  const html = renderToString(<ServerList servers={SERVERS.slice(0, 1)} />);
  assert.deepEqual(
    [...html.matchAll(/<progress max="(\d+)" value="(\d+)" aria-label="(\w+)"/g)].map(([, ...parts]) => parts),
    [
      ['100000000000', '40000000000', 'Disk'],
      ['16000000000', '2000000000', 'Memory'],
    ],
  );
});

test('cluster page: the server itself and each collector say what waits, and whether they accept hits', () => {
  const waiting = 'Oldest waiting hit 0s Size of the outbox 40 MB';
  assert.deepEqual(itemsIn(<SenderList senders={SENDERS} />, 'li'), [
    `This server Accepts hits ${waiting}`,
    `one Accepts hits Oldest waiting hit 5m 0s Size of the outbox 40 MB Last contact 1s`,
    `one Does not answer ${waiting} Last contact 1m 1s`,
    ...['Not known to this server', 'Being retired', 'Disk is full', 'Time is unknown'].map(
      (state) => `one ${state} ${waiting} Last contact 1s`,
    ),
    'one Not started yet Oldest waiting hit – Size of the outbox – Last contact –',
  ]);
});

test('cluster page: copies of open days have a word for their state, and the rest is counted', () => {
  const rows = itemsIn(<CopyList copies={COPIES} count={60} />, 'tr').slice(1);
  assert.deepEqual(
    rows.map((row) => row.replace(/^a\.example .* 12,345 /, '')),
    ['Current', 'Being copied', 'Behind', 'Too large to copy and 56 more'],
  );
  assert.match(renderToString(<CopyList copies={[]} count={0} />), /No copies/);
});
