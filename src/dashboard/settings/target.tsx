// A goal, or a step of a funnel, is reached by a page or by an event: its target. This file has the two form fields of
// a target, with suggestions from the last year. `targetIn` reads the fields from a submitted form.
//
// Example: a user pastes https://example.com/thank-you. `targetIn` gives `{type: 'page', value: '/thank-you'}`.
//
// goals.tsx and step-fields.tsx show `TargetFields`.

import { useState } from 'preact/hooks';
import type { Breakdown } from '../../api/answers.ts';
import type { Goal } from '../../api/goals.ts';
import type { Site } from '../../api/sites.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { useData } from '../core/api.ts';
import { GOAL_TYPES } from '../core/goal-types.ts';
import { pathIn } from '../core/parse-url-input.ts';
import { apiPath } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Input } from '../ui/add-form.tsx';
import { Field } from '../ui/form.tsx';

/** The page or the event by which visitors reach a goal or a step of a funnel. */
export type Target = Pick<Goal, 'type' | 'value'>;

const VALUES: Record<Target['type'], { label: DashboardMessage; example: string; breakdown: string; list: string }> = {
  page: { label: 'Path', example: '/thank-you', breakdown: 'pages', list: 'known-pages' },
  event: { label: 'Name', example: 'signup', breakdown: 'events', list: 'known-events' },
};

export const targetName = ({ type, value }: Target): string => `${t(GOAL_TYPES[type])} ${value}`;

export function TargetText({ type, value }: Target) {
  return (
    <>
      <span class="soft">{t(GOAL_TYPES[type])}</span> <span class="strong">{value}</span>
    </>
  );
}

type FieldsProps = {
  /**
   * The prefix of the field names, such as `steps.0.` for the first step of a funnel. The API names fields in the same
   * way in its errors, so that each error is shown at its field.
   */
  path?: string;
  /** The target that the form changes. Undefined for a new target. */
  of?: Target | undefined;
};

export function TargetFields({ path = '', of }: FieldsProps) {
  const [type, setType] = useState<Target['type']>(of?.type ?? 'page');
  const { label, example, list } = VALUES[type];
  return (
    <div class="form-row">
      <Field label={t('Type')} name={`${path}type`}>
        <select
          name={`${path}type`}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as Target['type'])}
        >
          {Object.entries(GOAL_TYPES).map(([key, name]) => (
            <option key={key} value={key}>
              {t(name)}
            </option>
          ))}
        </select>
      </Field>
      <Input name={`${path}value`} label={t(label)} placeholder={example} list={list} defaultValue={of?.value ?? ''} />
    </div>
  );
}

/** `parameters` are the page parameters of the site. */
export const targetIn = (data: FormData, parameters: readonly string[], path = ''): { type: string; value: string } => {
  const [type, value] = ['type', 'value'].map((name) => String(data.get(path + name)));
  return { type: type ?? '', value: type === 'page' ? pathIn(value ?? '', parameters) : (value ?? '').trim() };
};

/** Renders the suggestions for all target fields of a page: the pages and events of the last year. */
export function TargetLists({ site }: { site: Site }) {
  return (
    <>
      {Object.values(VALUES).map(({ breakdown, list }) => (
        <TargetList key={list} site={site} breakdown={breakdown} list={list} />
      ))}
    </>
  );
}

function TargetList({ site, breakdown, list }: { site: Site; breakdown: string; list: string }) {
  const path = apiPath(site, `/stats/breakdown/${breakdown}`);
  const { data } = useData<Breakdown>(path, { range: '12m', limit: '100' });
  return (
    <datalist id={list}>
      {data?.rows.map(({ value }) => value && value !== '(other)' && <option key={value} value={value} />)}
    </datalist>
  );
}
