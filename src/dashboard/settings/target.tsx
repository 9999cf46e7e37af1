// The form fields of a target. A target is the page or event by which visitors reach a goal or a funnel step. The
// fields suggest values from the last year. `targetIn` reads the fields from a submitted form.
//
// Example: a user pastes https://example.com/thank-you. `targetIn` returns `{type: 'page', value: '/thank-you'}`.
//
// goals.tsx and step-fields.tsx show `TargetFields`.

import { useRef, useState } from 'preact/hooks';
import type { Breakdown } from '../../api/answers.ts';
import type { Goal } from '../../api/goals.ts';
import type { Site } from '../../api/sites.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { useData } from '../core/api.ts';
import { GOAL_TYPES, nameTarget } from '../core/goal-types.ts';
import { pathIn } from '../core/parse-url-input.ts';
import { apiPath } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Input } from '../ui/add-form.tsx';
import { Field } from '../ui/form.tsx';

export type Target = Pick<Goal, 'type' | 'value' | 'property' | 'scroll'>;

const VALUES: Record<Target['type'], { label: DashboardMessage; example: string; breakdown: string; list: string }> = {
  page: { label: 'Path', example: '/thank-you', breakdown: 'pages', list: 'known-pages' },
  event: { label: 'Name', example: 'signup', breakdown: 'events', list: 'known-events' },
};

const PROPERTIES = { breakdown: 'properties', list: 'known-properties' };

export const targetName = (target: Target): string => `${t(GOAL_TYPES[target.type])} ${nameTarget(target)}`;

export function TargetText(target: Target) {
  return (
    <>
      <span class="soft">{t(GOAL_TYPES[target.type])}</span> <span class="strong">{nameTarget(target)}</span>
    </>
  );
}

/** A target as somebody typed it. The server checks its values. */
export type TypedTarget = {
  type: string;
  value: string;
  property?: { name: string; value: string };
  scroll?: number | string;
};

type FieldsProps = {
  /**
   * The prefix of the field names, such as `steps.0.` for the first step of a funnel. The API uses these names in its
   * errors, so each error is shown at its field.
   */
  path?: string;
  /** The target that the form changes, or undefined for a new target. */
  of?: Target | undefined;
  /** True if the target may have a depth. Only goals may have a depth. */
  hasDepth?: boolean;
};

export function TargetFields({ path = '', of, hasDepth = false }: FieldsProps) {
  const [type, setType] = useState<Target['type']>(of?.type ?? 'page');
  const { label, example, list } = VALUES[type];
  return (
    <div class="form-row target-fields">
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
      {hasDepth && type === 'page' && (
        <Input
          name={`${path}scroll`}
          label={t('Scrolled to (%)')}
          placeholder="75"
          help={t('Only if visitors must see this much of the page.')}
          defaultValue={String(of?.scroll ?? '')}
        />
      )}
    </div>
  );
}

/** The fields for a property that a hit must also have. If the target has none, a button shows the fields. */
export function PropertyFields({ path = '', of }: FieldsProps) {
  const [isOpen, setOpen] = useState(of?.property !== undefined);
  const fields = useRef<HTMLDivElement>(null);
  const toggle = () => {
    setOpen(!isOpen);
    requestAnimationFrame(() => fields.current?.querySelector<HTMLElement>('input, button')?.focus());
  };
  return (
    <div ref={fields} class="property-fields">
      {isOpen && (
        <div class="form-row">
          <Input
            name={`${path}property.name`}
            label={t('Property')}
            placeholder="plan"
            list={PROPERTIES.list}
            defaultValue={of?.property?.name ?? ''}
          />
          <Input
            name={`${path}property.value`}
            label={t('Value')}
            placeholder="pro"
            help={t('An asterisk stands for any text, as in pro*.')}
            defaultValue={of?.property?.value ?? ''}
          />
        </div>
      )}
      <button type="button" class="plain" onClick={toggle}>
        {t(isOpen ? 'Remove the property' : 'Add a property')}
      </button>
    </div>
  );
}

/** Reads a target from a form. `parameters` are the page parameters of the site. */
export function targetIn(data: FormData, parameters: readonly string[], path = ''): TypedTarget {
  const fields = ['type', 'value', 'property.name', 'property.value', 'scroll'];
  const [type = '', value = '', name = '', of = '', scroll = ''] = fields.map((field) =>
    String(data.get(path + field) ?? '').trim(),
  );
  return {
    type,
    value: type === 'page' ? pathIn(value, parameters) : value,
    ...(name !== '' || of !== '' ? { property: { name, value: of } } : {}),
    // A text that is not a number is sent unchanged, so that the server refuses it. NaN would be sent as null, and null
    // removes the depth.
    ...(scroll === '' ? {} : { scroll: Number.isNaN(Number(scroll)) ? scroll : Number(scroll) }),
  };
}

/** Renders the suggestions for all target fields on the screen: known pages, events and properties of the site. */
export function TargetLists({ site }: { site: Site }) {
  return (
    <>
      {[...Object.values(VALUES), PROPERTIES].map(({ breakdown, list }) => (
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
