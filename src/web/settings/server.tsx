import { useState } from 'preact/hooks';
import type { Arrival, Finding, Server } from '../../api/server.ts';
import { useData } from '../api.ts';
import { Answer } from '../parts/states.tsx';
import { Block } from './block.tsx';

/** What the server calls each thing that it looks at, for people. */
const NAMES: Record<string, string> = {
  request: 'Your request',
  version: 'Version',
  time: 'Clock',
  visitors: 'Visitors',
  mail: 'Mail server',
  disk: 'Disk',
  backup: 'Copies',
  drill: 'Trial of a copy',
  check: 'Check of all days',
  countries: 'Country file',
};

type Named = Finding & { name: string };

const LOOKS = {
  fine: { word: 'OK', shape: 'M4.5 10.5l3.5 3.5 7.5-8' },
  bad: { word: 'Needs attention', shape: 'M10 3 18 17H2zM10 8.5v4M10 14.5v.01' },
};

/** What needs attention comes first. */
const listOf = ({ findings, request }: Server): Named[] =>
  [...findings, { ...request, name: 'request' }].sort((one, other) => Number(one.fine) - Number(other.fine));

function headingOf(data: Server | undefined): string {
  if (!data) return 'Server';
  const bad = listOf(data).filter(({ fine }) => !fine).length;
  if (bad === 0) return 'Server: nothing needs attention';
  return bad === 1 ? 'Server: 1 thing needs attention' : `Server: ${bad} things need attention`;
}

/** What is to be typed: a flag with its value, or a command. */
const TYPED = /(--[a-z-]+(?: \S*\d\S*)?|daybook (?:backup FILE|check))/;

const Words = ({ text }: { text: string }) => (
  <>{text.split(TYPED).map((part, n) => (n % 2 === 0 ? part : <code key={part}>{part}</code>))}</>
);

function Line({ name, fine, says, remedy }: Named) {
  const { word, shape } = LOOKS[fine ? 'fine' : 'bad'];
  return (
    <li class="finding">
      <svg viewBox="0 0 20 20" width="20" height="20" class={fine ? 'drawn good' : 'drawn bad'} aria-hidden="true">
        <path d={shape} />
      </svg>
      <h3>{NAMES[name] ?? name}</h3>
      <span class={fine ? 'good' : 'bad'}>{word}</span>
      <p class="soft">
        <Words text={says} />
      </p>
      {remedy && (
        <p class="remedy">
          <span class="strong">What to do:</span> <Words text={remedy} />
        </p>
      )}
    </li>
  );
}

const ROWS: [label: string, text: (request: Arrival) => string][] = [
  ['Sender', ({ sender }) => sender],
  ['Taken as the visitor', ({ visitor }) => visitor],
  ['X-Forwarded-For believed', ({ believed }) => (believed ? 'yes' : 'no')],
];

/** What only a request can show: whether a proxy in front says who asks, and is believed. */
function Way({ request }: { request: Arrival }) {
  const { headers } = request;
  return (
    <dl class="way-in">
      {ROWS.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text(request)}</dd>
        </div>
      ))}
      <div>
        <dt>Headers of proxies</dt>
        {headers.length === 0 ? <dd>none came</dd> : null}
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

/** What daybook doctor says, for whoever set up the server. */
export function ServerPart() {
  const server = useData<Server>('/server');
  const { data, error, reload } = server;
  // Each answer is a new object, so the old one still being there means that the new one is not.
  const [before, keep] = useState<Server>();
  const isBusy = before !== undefined && before === data && !error;
  const refresh = () => {
    if (isBusy) return;
    keep(data);
    reload();
  };
  const heading = headingOf(data);
  return (
    <>
      <Block title={heading} about="What daybook doctor says at the terminal, and how your request came.">
        <div class="actions refresh">
          <button type="button" onClick={refresh} aria-disabled={isBusy}>
            {isBusy ? 'Looking …' : 'Refresh'}
          </button>
        </div>
        <div class={isBusy ? 'findings old' : 'findings'} aria-busy={isBusy}>
          <Answer of={server} lines={12}>
            {(found) => (
              <ul>
                {listOf(found).map((one) => (
                  <Line key={one.name} {...one} />
                ))}
              </ul>
            )}
          </Answer>
        </div>
        <p class="unseen" role="status">
          {isBusy ? 'Looking again' : before && heading}
        </p>
      </Block>
      {error ? null : (
        <Block
          title="How your request came"
          about="Visitors are told apart by their addresses, so a proxy in front has to pass them on."
        >
          <Answer of={server} lines={4}>
            {({ request }) => <Way request={request} />}
          </Answer>
        </Block>
      )}
    </>
  );
}
