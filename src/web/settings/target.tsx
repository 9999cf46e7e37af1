import { useState } from 'preact/hooks';
import type { Goal } from '../../api/goals.ts';
import type { Site } from '../../api/sites.ts';
import type { Breakdown } from '../../api/stats.ts';
import { useData } from '../api.ts';
import { Field } from '../parts/form.tsx';
import { Input } from './add-form.tsx';
import { apiPath } from './part.ts';

const TYPES: Record<Goal['type'], { name: string; label: string; example: string; breakdown: string; list: string }> = {
  page: { name: 'Page', label: 'Path', example: '/thank-you', breakdown: 'pages', list: 'known-pages' },
  event: { name: 'Event', label: 'Name', example: 'signup', breakdown: 'events', list: 'known-events' },
};

type Target = Pick<Goal, 'type' | 'value'>;

export const targetName = ({ type, value }: Target): string => `${TYPES[type].name} ${value}`;

/** A page or an event, as it stands in a list. */
export function TargetText({ type, value }: Target) {
  return (
    <>
      <span class="kind">{TYPES[type].name}</span> <span class="strong">{value}</span>
    </>
  );
}

/** What a goal or a step of a funnel waits for; path is where it stands in what is sent. */
export function TargetFields({ path = '' }: { path?: string }) {
  const [type, setType] = useState<Target['type']>('page');
  const { label, example, list } = TYPES[type];
  return (
    <div class="target">
      <Field label="What">
        <select
          name={`${path}type`}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as Target['type'])}
        >
          {Object.entries(TYPES).map(([key, { name }]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Input name={`${path}value`} label={label} placeholder={example} list={list} />
    </div>
  );
}

/** Takes one such pair of fields out of a form. */
export const targetIn = (data: FormData, path = ''): { type: string; value: string } => ({
  type: String(data.get(`${path}type`)),
  value: String(data.get(`${path}value`)).trim(),
});

/** The pages and events of the last year, for all fields of the page to suggest. */
export function Suggestions({ site }: { site: Site }) {
  return (
    <>
      {Object.values(TYPES).map(({ breakdown, list }) => (
        <Suggested key={list} site={site} breakdown={breakdown} list={list} />
      ))}
    </>
  );
}

function Suggested({ site, breakdown, list }: { site: Site; breakdown: string; list: string }) {
  const path = apiPath(site, `/stats/breakdown/${breakdown}`);
  const { data } = useData<Breakdown>(path, { range: '12m', limit: '100' });
  return (
    <datalist id={list}>
      {data?.rows.map(({ value }) => value && value !== '(other)' && <option key={value} value={value} />)}
    </datalist>
  );
}
