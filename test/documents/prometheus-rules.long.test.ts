// Each alert about a cluster is raised by a value that promtool gives to it, and by no healthy value. Prometheus is the
// package of Debian.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder } from '../support/helpers.ts';
import { ROOT, textOf } from './documents.ts';

const RULES = 'deploy/prometheus-rules.yml';
const SERVER = 'http://one.example:8123/';

/** For each alert: its metrics with healthy values and with values that raise it, and what the alert says. */
const ALERTS: Record<string, [fine: Record<string, number>, bad: Record<string, number>, summary: string]> = {
  DaybookClusterServerDown: [
    { cluster_server_up: 1 },
    { cluster_server_up: 0 },
    `${SERVER} does not answer. Start it, or find out why it does not answer`,
  ],
  DaybookClusterServerIncomplete: [
    { cluster_server_complete: 1 },
    { cluster_server_complete: 0 },
    `${SERVER} lacks data, so queries do not use it. Run daybook doctor`,
  ],
  DaybookClusterServerLate: [
    { cluster_server_lag_seconds: 300 },
    { cluster_server_lag_seconds: 360 },
    `${SERVER} has not received all hits for 6m 0s`,
  ],
  DaybookClusterDiskFull: [
    { cluster_server_disk_bytes: 100, cluster_server_disk_free_bytes: 10 },
    { cluster_server_disk_bytes: 100, cluster_server_disk_free_bytes: 9 },
    `only 9% of the disk of ${SERVER} is free`,
  ],
  DaybookClusterMemoryFull: [
    { cluster_server_memory_limit_bytes: 100, cluster_server_memory_bytes: 90 },
    { cluster_server_memory_limit_bytes: 100, cluster_server_memory_bytes: 91 },
    `${SERVER} uses 91% of its memory`,
  ],
  DaybookClusterTooManyParts: [
    { cluster_server_partition_parts: 500 },
    { cluster_server_partition_parts: 501 },
    `${SERVER} merges its parts too slowly. From 1,000 parts on, ClickHouse slows inserts`,
  ],
  DaybookClusterDeletionsFail: [
    { cluster_server_mutations_failed: 0 },
    { cluster_server_mutations_failed: 1 },
    `${SERVER} cannot finish deletions. See latest_fail_reason in system.mutations there`,
  ],
  DaybookCollectorSilent: [
    { collector_silence_seconds: 300 },
    { collector_silence_seconds: 301 },
    'no contact with the collector one. Later days cannot become final',
  ],
  DaybookCollectorLate: [
    { collector_lag_seconds: 300 },
    { collector_lag_seconds: 301 },
    'the collector one cannot send its hits. See its log',
  ],
  DaybookCollectorClosed: [
    { collector_closed: 0 },
    { collector_closed: 1 },
    'the collector one accepts no hits. Run daybook doctor',
  ],
};

const labelOf = (name: string) => (name.startsWith('collector') ? { collector: 'one' } : { server: SERVER });

/** A test of promtool: an hour and a half of these values, and then the alerts that are expected. */
const writeCase = (alert: string, values: Record<string, number>, summary?: string) => {
  const labels = labelOf(Object.keys(values)[0] ?? '');
  const [[label, of] = ['', '']] = Object.entries(labels);
  return {
    interval: '1m',
    input_series: Object.entries(values).map(([name, value]) => ({
      series: `daybook_${name}{${label}="${of}"}`,
      values: `${value}x90`,
    })),
    alert_rule_test: [
      {
        eval_time: '90m',
        alertname: alert,
        exp_alerts: summary === undefined ? [] : [{ exp_labels: labels, exp_annotations: { summary } }],
      },
    ],
  };
};

test('recipes: each alert about a cluster is raised by its value, and by no healthy one', {
  skip: spawnSync('promtool', ['--version']).error ? 'promtool is not installed' : false,
}, (t) => {
  const names = [...textOf(RULES).matchAll(/alert: (Daybook(?:Cluster|Collector)\w+)/g)].map(([, name]) => name);
  assert.deepEqual(names, Object.keys(ALERTS));
  const tests = Object.entries(ALERTS).flatMap(([alert, [fine, bad, summary]]) => [
    writeCase(alert, fine),
    writeCase(alert, bad, summary),
  ]);
  const file = join(folder(t), 'rules.test.yml');
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify({ rule_files: [join(ROOT, RULES)], tests }));
  const run = () => execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
  assert.match(run(), /SUCCESS/);
});
