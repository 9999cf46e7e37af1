// The form that adds an exclusion in two steps. First, the button "Preview" shows how many visits of each day match the
// conditions. If any visit matches, the same button then adds the exclusion. If a field changes, the preview
// disappears, and the button is "Preview" again. So nobody can confirm a preview of other conditions. A report may link
// to this form with filters in the URL, which fill the form. exclusions.tsx shows `NewExclusion`.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Preview } from '../../api/exclusions.ts';
import type { Site } from '../../api/sites.ts';
import { viewOf } from '../core/address.ts';
import { send } from '../core/api.ts';
import { useNow } from '../core/clock.ts';
import { filtersOf, type Line } from '../core/conditions.ts';
import { apiPath } from '../core/site.ts';
import { plural, t } from '../core/texts.ts';
import { type FilterKey, partsOf } from '../core/view.ts';
import { earlier } from '../dates/days.ts';
import { type Span, spanOf } from '../dates/range.ts';
import { todayIn } from '../dates/today.ts';
import { Block } from '../ui/block.tsx';
import { Actions, Field, Form } from '../ui/form.tsx';
import { Notices } from '../ui/notices.tsx';
import { withParts } from '../ui/with-parts.ts';
import { ConditionFields, linesIn } from './condition-fields.tsx';
import { DayBars } from './day-bars.tsx';

export function NewExclusion({ site, onAdd }: { site: Site; onAdd(): void }) {
  const now = useNow();
  const place = useRef<HTMLDivElement>(null);
  const [preview, setPreview] = useState<Preview & { span: Span }>();
  const [done, setDone] = useState({ times: 0, words: '' });
  // The preview may push the button below it out of the window. If this button has the focus, it is scrolled back into
  // view.
  useEffect(() => {
    if (preview && place.current?.contains(document.activeElement)) {
      document.activeElement?.scrollIntoView({ block: 'nearest' });
    }
  }, [preview]);
  const forget = () => {
    setPreview(undefined);
    if (done.words) setDone({ ...done, words: '' });
  };
  const look = async (data: FormData) => {
    const { selection } = bodyIn(data, site);
    const found = await send<Preview>('POST', apiPath(site, '/exclusions/preview'), selection);
    const today = todayIn(site.time_zone, now());
    setPreview({ ...found, span: { from: selection.from, to: earlier(selection.to ?? today, today) } });
  };
  const add = async (data: FormData, { visits }: Preview) => {
    const { selection, note } = bodyIn(data, site);
    await send('POST', apiPath(site, '/exclusions'), { ...selection, note });
    setPreview(undefined);
    setDone({
      times: done.times + 1,
      words: plural(visits, '{count} visit excluded.', '{count} visits excluded.'),
    });
    onAdd();
  };
  return (
    <Block title={t('New exclusion')} about={t('You see a preview before anything changes.')}>
      <div ref={place}>
        <Form
          label={t('New exclusion')}
          submit={(data) => (preview?.visits ? add(data, preview) : look(data))}
          onInput={forget}
        >
          <ExclusionFields key={done.times} site={site} onChange={forget} />
          {preview && <PreviewOf preview={preview} />}
          <Actions
            verb={
              preview?.visits ? plural(preview.visits, 'Exclude {count} visit', 'Exclude {count} visits') : t('Preview')
            }
            done={done.words}
          />
        </Form>
      </div>
    </Block>
  );
}

const linesOf = (search: string): Line[] =>
  Object.entries(viewOf(search).filters).flatMap(([key, values = []]) => {
    const [name, condition] = partsOf(key as FilterKey);
    return name === 'goal' ? [] : values.map((value) => ({ name, condition, value }));
  });

const bodyIn = (data: FormData, site: Site) => {
  const text = (name: string) => String(data.get(name)).trim();
  const filters = filtersOf(linesIn(data), site.page_parameters);
  const selection = { from: text('from'), to: text('to') || null, filters };
  return { selection, note: text('note') };
};

function ExclusionFields({ site, onChange }: { site: Site; onChange(): void }) {
  const now = useNow();
  const today = todayIn(site.time_zone, now());
  const [{ from, to }] = useState(() => spanOf(viewOf(location.search).range, today) ?? { from: today, to: today });
  const [lines] = useState(() => linesOf(location.search));
  return (
    <>
      <ConditionFields
        site={site}
        of={lines.length > 0 ? lines : [{ name: 'source', condition: 'is', value: '' }]}
        onChange={onChange}
      />
      <div class="form-row new-exclusion-days">
        <Field label={t('First day')} name="from">
          <input name="from" type="date" defaultValue={from} />
        </Field>
        <Field label={t('Last day')} name="to" help={t('Leave empty to keep excluding future visits.')}>
          <input name="to" type="date" defaultValue={to} />
        </Field>
      </div>
      <Field label={t('Note')} name="note" help={t('Optional: why these visits are excluded.')}>
        <input name="note" maxLength={200} autocomplete="off" placeholder={t('Bots from one data centre')} />
      </Field>
    </>
  );
}

function PreviewOf({ preview }: { preview: Preview & { span: Span } }) {
  const { visits, visitors, pageviews, events, days } = preview;
  const counts = [
    plural(visitors, '{count} visitor', '{count} visitors'),
    plural(pageviews, '{count} pageview', '{count} pageviews'),
    plural(events, '{count} event', '{count} events'),
  ];
  return (
    <div class="new-exclusion-preview" role="status">
      <Notices of={[preview]} />
      {visits === 0 ? (
        <p>{t('No visits match on these days.')}</p>
      ) : (
        <>
          <p>
            {withParts(
              plural(
                visits,
                '{visits} would be excluded, including {counts}.',
                '{visits} would be excluded, including {counts}.',
                {
                  counts: counts.join(', '),
                },
              ),
              {
                visits: <span class="strong">{plural(visits, '{count} visit', '{count} visits')}</span>,
              },
            )}
          </p>
          <DayBars days={days} span={preview.span} />
        </>
      )}
    </div>
  );
}
