// The form with which the owner of a site deletes some of its days for good. First, a preview shows what will be
// deleted. Then the owner types the domain of the site, and only after that the button deletes. If the owner changes a
// day, the preview disappears. So nobody confirms a preview of other days.
//
// Example: 1 to 31 March. The preview says "31 days", the figures of these days, and that one import is deleted as a
// whole. If a day is not sealed yet, the preview names the day, and there is nothing to confirm. data.tsx shows
// `DeleteDays`.

import { useState } from 'preact/hooks';
import type { Deletion, DeletionPreview } from '../../api/deletions.ts';
import { send } from '../core/api.ts';
import { spanText } from '../core/format.ts';
import { said } from '../core/server-text.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { plural, t } from '../core/texts.ts';
import { daysIn } from '../dates/days.ts';
import { Input } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { Actions, Form } from '../ui/form.tsx';
import { Consequences } from './consequences.tsx';
import { isDomainTyped, TypedDomain } from './typed-domain.tsx';

type Props = Pick<PartProps, 'site'> & { onDeleted(): void };

export function DeleteDays({ site, onDeleted }: Props) {
  const [preview, setPreview] = useState<DeletionPreview>();
  const [typed, type] = useState('');
  const [done, setDone] = useState({ times: 0, words: '' });
  const path = apiPath(site, '/deletions');
  const forget = (words = '') => {
    setPreview(undefined);
    type('');
    setDone({ times: done.times + (words ? 1 : 0), words });
  };
  const look = async (data: FormData) => {
    const [from, to] = ['from', 'to'].map((name) => String(data.get(name) ?? '').trim());
    setPreview(await send<DeletionPreview>('POST', `${path}/preview`, { from, to }));
  };
  const remove = async ({ from, to }: DeletionPreview) => {
    if (!isDomainTyped(site, typed)) return;
    await send<Deletion>('POST', path, { from, to });
    forget(t('{days} deleted.', { days: spanText({ from, to }) }));
    onDeleted();
  };
  const isReady = preview !== undefined && mayDelete(preview);
  const count = preview ? daysIn(preview.from, preview.to) : 0;
  return (
    <Block
      title={t('Delete days')}
      about={t('Deletes all visits and imports of some days for good. You see a preview before anything is deleted.')}
    >
      <Form label={t('Delete days')} submit={(data) => (isReady ? remove(preview) : look(data))}>
        <div key={done.times} class="data-days" onInput={() => forget()}>
          <Input name="from" type="date" label={t('First day')} />
          <Input name="to" type="date" label={t('Last day')} />
        </div>
        {preview && <WhatGoes preview={preview} />}
        {isReady && <TypedDomain site={site} typed={typed} type={type} takesFocus />}
        <Actions
          verb={isReady ? plural(count, 'Delete {count} day', 'Delete {count} days') : t('Preview')}
          kind={isReady ? 'danger' : 'primary'}
          isDisabled={isReady && !isDomainTyped(site, typed)}
          done={done.words}
        />
      </Form>
    </Block>
  );
}

const isEmpty = ({ days, searches, crawler_requests: requests, drops }: Deletion): boolean =>
  days + searches + requests + drops === 0;

const mayDelete = (preview: DeletionPreview): boolean => !isEmpty(preview) && preview.open_days.length === 0;

function WhatGoes({ preview }: { preview: DeletionPreview }) {
  const days = spanText(preview);
  if (preview.open_days.length > 0) {
    const open = preview.open_days.map((date) => ({ from: date, to: date }));
    return (
      <p class="strong" role="alert">
        {said({ code: 'days_open', values: { days: open } }, preview.open_days.join(', '))}
      </p>
    );
  }
  if (isEmpty(preview)) return <p role="status">{t('Nothing is stored for {days}.', { days })}</p>;
  return (
    <Consequences title={t('This will be deleted for {days}:', { days })}>
      <ul>
        {describe(preview).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p class="small">
        {[
          ...(preview.kept_searches > 0 ? [t('Google searches whose period includes other days are kept.')] : []),
          t('Goals, funnels, notes and exclusions stay. Backups and exported files still have these days.'),
        ].join(' ')}
      </p>
    </Consequences>
  );
}

function describe({ days, total_days: totalDays, imports, ...found }: DeletionPreview): string[] {
  const whole = imports.filter((one) => one.whole).length;
  const partly = imports.length - whole;
  const figures = [
    plural(found.visitors, '{count} visitor', '{count} visitors'),
    plural(found.visits, '{count} visit', '{count} visits'),
    plural(found.pageviews, '{count} pageview', '{count} pageviews'),
    plural(found.events, '{count} event', '{count} events'),
  ];
  const lines: [count: number, line: string][] = [
    [days, plural(days, '{count} day with visits', '{count} days with visits')],
    [totalDays, plural(totalDays, '{count} of them with only daily totals', '{count} of them with only daily totals')],
    [days, figures.join(', ')],
    [whole, plural(whole, '{count} import as a whole', '{count} imports as a whole')],
    [partly, plural(partly, 'a part of {count} import', 'a part of {count} imports')],
    [found.searches, plural(found.searches, '{count} row of searches on Google', '{count} rows of searches on Google')],
    [
      found.crawler_requests,
      plural(found.crawler_requests, '{count} request of AI crawlers', '{count} requests of AI crawlers'),
    ],
    [found.drops, plural(found.drops, '{count} hit that was not counted', '{count} hits that were not counted')],
  ];
  return lines.flatMap(([count, line]) => (count > 0 ? [line] : []));
}
