import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listFaults } from '../../src/doctor/servers.ts';
import type { ServerLoad } from '../../src/engine/server-status.ts';
import { inEnglish } from '../../src/lang/sentences.ts';

const URL = 'http://one.example:8123/';
const NOW = 1_764_000_000;
const LOAD: ServerLoad = {
  ...{ seconds: 0.01, parts: 40, partitionParts: 6, mutations: 1, failedMutations: 0, queries: 2 },
  ...{ diskFree: 60e9, diskTotal: 100e9, memory: 2e9, memoryLimit: 16e9 },
};

type Change = {
  load?: Partial<ServerLoad> | null;
  lag?: number;
  isSilent?: boolean;
  isAway?: boolean;
  state?: 'complete' | 'lacking' | 'filling';
};

const faultsOf = ({ load = {}, lag = 0, isSilent = false, isAway = false, state = 'complete' }: Change): string[] =>
  listFaults({
    ...{ url: URL, shard: 0, replica: 0, state, fill: 0, since: NOW - 60, progress: '', isWanted: 0, beat: 1 },
    ...{ isAdded: 0, isLeaving: 0 },
    reason: state === 'lacking' ? 'empty' : '',
    isSilent,
    now: NOW,
    status: { url: URL, answers: !isSilent, isAway, lag, load: load === null ? undefined : { ...LOAD, ...load } },
  }).map(({ says, remedy }) => `${inEnglish(says)} -> ${inEnglish(remedy).slice(0, 40)}`);

test('doctor: a complete server with room has no faults, and neither has one without a local disk or a limit', () => {
  assert.deepEqual(faultsOf({}), []);
  assert.deepEqual(faultsOf({ load: { diskFree: null, diskTotal: null, memoryLimit: null } }), []);
});

test('doctor: each figure of a server has its fault, with the place to look at', () => {
  const at: [Change, string][] = [
    [
      { load: { diskFree: 9e9 } },
      'has only 9.0 GB of 100.0 GB of disk space left -> Free some space on the disk of one.examp',
    ],
    [
      { load: { memory: 15e9 } },
      'uses 15.0 GB of the 16.0 GB of memory that it may use -> See in system.processes on one.example:8',
    ],
    [
      { load: { partitionParts: 501 } },
      'has 501 parts in one partition of a table, because it merges them too slowly -> Look whether the disk of one.example:812',
    ],
    [{ load: { failedMutations: 1 } }, 'cannot finish 1 deletion -> See latest_fail_reason in system.mutatio'],
    [{ lag: 301 }, 'has not received all hits since 2025-11-24T15:54:59Z -> Look whether one.example:8123 is overloa'],
    [{ isAway: true }, 'answers, but is not used -> See the log of the primary. If the name '],
    [{ load: null }, 'does not tell how full its disk and its memory are -> Give the ClickHouse user of daybook all '],
  ];
  for (const [change, text] of at) assert.deepEqual(faultsOf(change), [text]);
});

test('doctor: figures at their limits are no faults', () => {
  assert.deepEqual(faultsOf({ lag: 300, load: { diskFree: 10e9, memory: 14.4e9, partitionParts: 500 } }), []);
});

test('doctor: a silent server has no faults of its figures, and a server that lacks rows is not late', () => {
  assert.deepEqual(faultsOf({ isSilent: true, lag: 900, load: null }), [
    'does not answer -> Start the server, or find out why it doe',
  ]);
  const faults = faultsOf({ state: 'lacking', lag: 900, load: { diskFree: 1e9 } });
  assert.equal(faults.length, 2);
  assert.match(faults[0] ?? '', /its disk is new or was emptied -> Run `?daybook cluster fill/);
  assert.match(faults[1] ?? '', /^has only 1.0 GB/);
});

test('doctor: a server that is being filled needs nothing, unless it is silent. Then it must be started', () => {
  const remediesOf = (isSilent: boolean) => faultsOf({ state: 'filling', isSilent }).map((one) => one.split(' -> ')[1]);
  assert.deepEqual(remediesOf(false), ['No action is needed. daybook uses this s']);
  const start = 'Make sure that this server and the prima';
  assert.deepEqual(remediesOf(true), [start, start]);
});
