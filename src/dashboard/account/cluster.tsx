// The page "Cluster" shows each ClickHouse server and the hits that wait to be sent. It also lists the open days of
// which the primary has its own copy. If the copy of a day is current, queries about the day are answered without
// ClickHouse. Only the owner of the server sees this page. The page asks GET /cluster for the figures every ten
// seconds.
//
// Invariant: a state has a word and not only a colour. If a server does not report a figure, a dash stands in its
// place.
//
// Example: a server hangs. The page shows this server as "Does not answer", with dashes and with the remedy of `daybook
// doctor`. pages/account.tsx shows `ClusterPart`.

import type { ComponentChildren } from 'preact';
import type { Cluster } from '../../api/cluster.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { useData } from '../core/api.ts';
import { day, duration, number, size } from '../core/format.ts';
import { plural, t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Empty } from '../ui/empty.tsx';
import { Answer } from '../ui/loaded.tsx';
import { Sentences, StatusItem } from './server.tsx';

type Server = Cluster['servers'][number];
type Sender = Cluster['senders'][number];
type Copy = Cluster['copies'][number];

const POLL_SECONDS = 10;
/**
 * A server is shown as behind if it lacks rows that are older than this many seconds. A smaller lag comes and goes
 * while hits are being sent. A sender that is silent for longer than this is shown as not answering.
 */
const LATE_SECONDS = 60;
const UNKNOWN = '–';

export function ClusterPart() {
  const cluster = useData<Cluster>('/cluster', {}, POLL_SECONDS);
  return (
    <>
      <Block title={t('Servers')} about={t('daybook stores all hits on these ClickHouse servers.')}>
        <Answer of={cluster} lines={12}>
          {({ servers }) => <ServerList servers={servers} />}
        </Answer>
      </Block>
      {cluster.error ? null : (
        <>
          <Block title={t('Waiting hits')} about={t('Hits wait in an outbox until all servers have them.')}>
            <Answer of={cluster} lines={4}>
              {({ senders }) => <SenderList senders={senders} />}
            </Answer>
          </Block>
          <Block
            title={t('Copies of open days')}
            about={t('daybook answers queries of these days from a local copy, without ClickHouse.')}
          >
            <Answer of={cluster} lines={4}>
              {({ copies, copy_count }) => <CopyList copies={copies} count={copy_count} />}
            </Answer>
          </Block>
        </>
      )}
    </>
  );
}

const STATES: Record<Server['state'], DashboardMessage> = {
  complete: 'Complete',
  filling: 'Being filled',
  lacking: 'Not in use',
};

function findStatus({ answers, state, lag }: Server): { text: DashboardMessage; isGood: boolean } {
  if (!answers) return { text: 'Does not answer', isGood: false };
  if (state === 'complete' && (lag ?? 0) > LATE_SECONDS) return { text: 'Behind', isGood: false };
  return { text: STATES[state], isGood: state === 'complete' };
}

type Figures = NonNullable<Server['figures']>;

/**
 * The figures of a server. If a figure has a limit, a bar shows `part`, such as the used memory, as a share of `whole`.
 */
const FIGURES: {
  label: DashboardMessage;
  text(figures: Figures): string;
  bar?: (figures: Figures) => { part: number; whole: number | null };
}[] = [
  {
    label: 'Disk',
    text: ({ disk_free, disk_total }) =>
      disk_free === null || disk_total === null
        ? UNKNOWN
        : t('{free} of {total} free', { free: size(disk_free), total: size(disk_total) }),
    bar: ({ disk_free, disk_total }) => ({ part: (disk_total ?? 0) - (disk_free ?? 0), whole: disk_total }),
  },
  {
    label: 'Memory',
    text: ({ memory, memory_limit }) =>
      memory_limit === null
        ? size(memory)
        : t('{used} of {limit} used', { used: size(memory), limit: size(memory_limit) }),
    bar: ({ memory, memory_limit }) => ({ part: memory, whole: memory_limit }),
  },
  { label: 'Parts', text: ({ parts }) => number(parts) },
  {
    label: 'Deletions',
    text: ({ mutations, failed_mutations: failed }) =>
      failed === 0
        ? t('{waiting} waiting', { waiting: number(mutations) })
        : t('{waiting} waiting, {failed} failing', { waiting: number(mutations), failed: number(failed) }),
  },
  { label: 'Concurrent queries', text: ({ queries }) => number(queries) },
];

const seconds = (value: number | null): string => (value === null ? UNKNOWN : duration(value));

const Figure = ({ label, children }: { label: DashboardMessage; children: ComponentChildren }) => (
  <div>
    <dt>{t(label)}</dt>
    <dd>{children}</dd>
  </div>
);

/** Codes of sentences that only repeat the status of a server. The page does not show these sentences. */
const SAID_BY_STATUS: ReadonlySet<string> = new Set(['server_complete', 'server_silent']);

function ServerItem(server: Server) {
  const { url, shard, replica, lag, figures, finding } = server;
  const codes = finding.says_codes?.filter(({ code }) => !SAID_BY_STATUS.has(code)) ?? [];
  return (
    <StatusItem title={new URL(url).host} status={findStatus(server)} finding={finding}>
      <p class="soft">{t('Shard {shard}, replica {replica}', { shard, replica })}</p>
      {codes.length > 0 && (
        <Sentences codes={codes} english={finding.says} class={finding.fine ? 'soft' : 'cluster-fault'} />
      )}
      <dl class="cluster-figures">
        <Figure label="Behind by">{seconds(lag)}</Figure>
        {FIGURES.map(({ label, text, bar }) => {
          const { part, whole } = (figures && bar?.(figures)) ?? { part: 0, whole: null };
          return (
            <Figure key={label} label={label}>
              {figures ? text(figures) : UNKNOWN}
              {whole !== null && <progress max={whole} value={part} aria-label={t(label)} />}
            </Figure>
          );
        })}
      </dl>
    </StatusItem>
  );
}

export const ServerList = ({ servers }: { servers: readonly Server[] }) => (
  <div class="cluster-list">
    <ul>
      {servers.map((server) => (
        <ServerItem key={server.url} {...server} />
      ))}
    </ul>
  </div>
);

const CLOSED: Record<NonNullable<Sender['closed']>, DashboardMessage> = {
  refused: 'Not known to this server',
  retiring: 'Being retired',
  disk: 'Disk is full',
  clock: 'Time is unknown',
};

/** Says whether a sender accepts hits. After more than a minute of silence, the text is "Does not answer". */
function findSenderStatus({ closed, silence }: Sender): { text: DashboardMessage; isGood: boolean } {
  if (silence === null) return { text: 'Not started yet', isGood: false };
  if (silence > LATE_SECONDS) return { text: 'Does not answer', isGood: false };
  return closed ? { text: CLOSED[closed], isGood: false } : { text: 'Accepts hits', isGood: true };
}

function SenderItem(sender: Sender) {
  const { name, lag, bytes, silence } = sender;
  const status = findSenderStatus(sender);
  const isFine = status.isGood && (lag ?? 0) <= LATE_SECONDS;
  return (
    <StatusItem title={name ?? t('This server')} status={status} finding={{ fine: isFine }}>
      <dl class="cluster-figures">
        <Figure label="Oldest waiting hit">{seconds(lag)}</Figure>
        <Figure label="Size of the outbox">{bytes === null ? UNKNOWN : size(bytes)}</Figure>
        {name !== null && <Figure label="Last contact">{seconds(silence)}</Figure>}
      </dl>
    </StatusItem>
  );
}

export const SenderList = ({ senders }: { senders: readonly Sender[] }) => (
  <div class="cluster-list">
    <ul>
      {senders.map((sender) => (
        <SenderItem key={sender.name} {...sender} />
      ))}
    </ul>
  </div>
);

const COPY_STATES: Record<Copy['state'], DashboardMessage> = {
  current: 'Current',
  copying: 'Being copied',
  behind: 'Behind',
  too_large: 'Too large to copy',
};

export function CopyList({ copies, count }: { copies: readonly Copy[]; count: number }) {
  if (count === 0)
    return (
      <Empty title={t('No copies')}>
        <p>{t('A copy is made when somebody opens a report of today.')}</p>
      </Empty>
    );
  const more = count - copies.length;
  return (
    <>
      <table>
        <caption class="unseen">{t('Copies of open days')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Site')}</th>
            <th scope="col" class="number">
              {t('Copied rows')}
            </th>
            <th scope="col">{t('State')}</th>
          </tr>
        </thead>
        <tbody>
          {copies.map(({ site, day: date, rows, state }) => (
            <tr key={`${site} ${date}`}>
              <th scope="row">
                {site} <span class="soft small">{day(date)}</span>
              </th>
              <td class="number">{number(rows)}</td>
              <td>{t(COPY_STATES[state])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="soft">{plural(more, 'and {count} more', 'and {count} more')}</p>}
    </>
  );
}
