// Shows the findings of `daybook doctor`, such as a full disk, to the owner of the server. One more finding is about
// the owner's own request, such as whether a proxy passed on the owner's IP address. Findings that need attention come
// first. pages/account.tsx shows `ServerPart`.
//
// After an update of the server, a page that was opened earlier may have no text for a new finding. Then the page shows
// the name that the API gives the finding, such as `disk`.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Arrival, Finding, Server } from '../../api/server.ts';
import type { TextCode } from '../../lang/coded.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { useData } from '../core/api.ts';
import { said } from '../core/server-text.ts';
import { plural, t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Answer } from '../ui/loaded.tsx';

/** Texts for the names of findings. The keys are the names in the API. */
const NAMES: Record<string, DashboardMessage> = {
  request: 'Your request',
  version: 'Version',
  time: 'Clock',
  visitors: 'Visitors',
  mail: 'Mail server',
  disk: 'Disk',
  webhook: 'Webhook',
  channels: 'Notification channels',
  capacity: 'Daily limit',
  excluded: 'Excluded IP addresses',
  cluster: 'Cluster',
  collectors: 'Collectors',
  seal: 'Past days',
  jobs: 'Background jobs',
  backup: 'Backups',
  restore: 'Restore test',
  forgetting: 'Proof of forgetting',
  parquet: 'Parquet files',
  recount: 'Monthly verification',
  check: 'Full verification',
  countries: 'Country database',
};

const STATUSES: Record<'fine' | 'bad', { text: DashboardMessage; icon: string }> = {
  fine: { text: 'OK', icon: 'M4.5 10.5l3.5 3.5 7.5-8' },
  bad: { text: 'Needs attention', icon: 'M10 3 18 17H2zM10 8.5v4M10 14.5v.01' },
};

export function ServerPart() {
  const server = useData<Server>('/server');
  const { data, error, reload } = server;
  // `replaced` is the answer that was shown when the user clicked the button. If `data` is still this answer, the new
  // answer has not arrived.
  const [replaced, setReplaced] = useState<Server>();
  const isBusy = replaced !== undefined && replaced === data && !error;
  const refresh = () => {
    if (isBusy) return;
    setReplaced(data);
    reload();
  };
  const heading = headingOf(data);
  return (
    <>
      <Block title={heading} about={t('You see the result of daybook doctor, and how your own request arrived.')}>
        <div class="form-actions server-refresh">
          <button type="button" onClick={refresh} aria-disabled={isBusy}>
            {isBusy ? t('Checking …') : t('Refresh')}
          </button>
        </div>
        <div class={isBusy ? 'server-findings is-stale' : 'server-findings'} aria-busy={isBusy}>
          <Answer of={server} lines={12}>
            {(answer) => <FindingList server={answer} />}
          </Answer>
        </div>
        <p class="unseen" role="status">
          {isBusy ? t('Checking again') : replaced && heading}
        </p>
      </Block>
      {error ? null : (
        <Block
          title={t('How your request arrived')}
          about={t(
            'daybook tells visitors apart by IP address. A proxy in front of the server must pass on this IP address.',
          )}
        >
          <Answer of={server} lines={4}>
            {({ request }) => <RequestDetails request={request} />}
          </Answer>
        </Block>
      )}
    </>
  );
}

/** Lists all findings, including the finding about the owner's request. Findings that need attention come first. */
const findingsIn = ({ findings, request }: Server): Finding[] =>
  [...findings, { ...request, name: 'request' }].sort((one, other) => Number(one.fine) - Number(other.fine));

function headingOf(data: Server | undefined): string {
  if (!data) return t('Server');
  const bad = findingsIn(data).filter(({ fine }) => !fine).length;
  if (bad === 0) return t('Server: nothing needs attention');
  return plural(bad, 'Server: {count} thing needs attention', 'Server: {count} things need attention');
}

/** Shows a sentence. Text between backquotes is shown as code, such as a flag or a command. */
const TextWithCode = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, n) => (n % 2 === 0 ? part : <code key={part}>{part}</code>))}</>
);

/** Shows each sentence as a paragraph. In one paragraph, several instructions would look like one. */
type SentencesProps = { codes: TextCode[] | undefined; english: string; class: string };
export const Sentences = ({ codes = [], english, class: name }: SentencesProps) => (
  <>
    {(codes.length === 0 ? [english] : codes.map((code) => said(code, english))).map((text) => (
      <p key={text} class={name}>
        <TextWithCode text={text} />
      </p>
    ))}
  </>
);

function FindingItem(finding: Finding) {
  const { name, fine, says, says_codes } = finding;
  const known = NAMES[name];
  const status = { text: STATUSES[fine ? 'fine' : 'bad'].text, isGood: fine };
  return (
    <StatusItem title={known ? t(known) : name} status={status} finding={finding}>
      <Sentences codes={says_codes} english={says} class="soft" />
    </StatusItem>
  );
}

type StatusItemProps = {
  title: string;
  status: { text: DashboardMessage; isGood: boolean };
  finding: Pick<Finding, 'fine' | 'remedy' | 'remedy_codes'>;
  children: ComponentChildren;
};

/** Shows one entry of a list: a finding, a server of the cluster, or a sender. It has a title, a state and remedies. */
export function StatusItem({ title, status, finding: { fine, remedy, remedy_codes }, children }: StatusItemProps) {
  const kind = fine ? 'fine' : 'bad';
  return (
    <li class="server-finding">
      <svg viewBox="0 0 20 20" width="20" height="20" class={fine ? 'symbol good' : 'symbol bad'} aria-hidden="true">
        <path d={STATUSES[kind].icon} />
      </svg>
      <h3>{title}</h3>
      <span class={status.isGood ? 'good' : 'bad'}>{t(status.text)}</span>
      {children}
      {remedy && (
        <div class="server-remedy">
          <p class="strong">{t('How to fix it:')}</p>
          <Sentences codes={remedy_codes} english={remedy} class="" />
        </div>
      )}
    </li>
  );
}

export function FindingList({ server }: { server: Server }) {
  return (
    <ul>
      {findingsIn(server).map((finding) => (
        <FindingItem key={finding.name} {...finding} />
      ))}
    </ul>
  );
}

const REQUEST_ROWS: [label: DashboardMessage, text: (request: Arrival) => string][] = [
  ['Sender IP address', ({ sender }) => sender],
  ['Visitor IP address', ({ visitor }) => visitor],
  ['X-Forwarded-For trusted', ({ believed }) => (believed ? t('yes') : t('no'))],
];

/**
 * Shows how the owner's request arrived. The text says whether a proxy passed on the owner's IP address, and whether
 * the server trusts this proxy.
 */
export function RequestDetails({ request }: { request: Arrival }) {
  const { headers } = request;
  return (
    <dl class="server-request">
      {REQUEST_ROWS.map(([label, text]) => (
        <div key={label}>
          <dt>{t(label)}</dt>
          <dd>{text(request)}</dd>
        </div>
      ))}
      <div>
        <dt>{t('Proxy headers')}</dt>
        {headers.length === 0 ? <dd>{t('none received')}</dd> : null}
        {headers.map(({ name, value }) => (
          <dd key={name}>
            <code>
              {name}: {value}
            </code>
          </dd>
        ))}
      </div>
    </dl>
  );
}
