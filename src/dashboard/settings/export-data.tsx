// The form that exports the hits of a site as a file. The browser saves the file while the bytes arrive. So even a
// large file takes no memory in the page.
//
// The days may be all days, a range with a name, or two dates. For example, February is `2026-02-01~2026-02-28`.
// data.tsx shows `ExportData`.

import { useState } from 'preact/hooks';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { startDownload } from '../core/download.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Input } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { Actions, Field, Form } from '../ui/form.tsx';

const FORMATS: Record<string, DashboardMessage> = {
  csv: 'CSV, for spreadsheets',
  ndjson: 'JSON Lines, for another daybook',
  parquet: 'Parquet, for DuckDB and pandas (a zip with a file for each day)',
  plausible: 'Daily totals in the format of Plausible (a zip)',
};

const CUSTOM = 'custom';
const RANGES: Record<string, DashboardMessage> = {
  '': 'All days',
  '30d': 'Last 30 days',
  'last-month': 'Last month',
  year: 'This year',
  'last-year': 'Last year',
  [CUSTOM]: 'Other days',
};

export function ExportData({ site }: Pick<PartProps, 'site'>) {
  const [isCustom, setCustom] = useState(false);
  const [isDone, setDone] = useState(false);
  const download = async (data: FormData) => {
    setDone(false);
    const [format, chosen, from, to] = ['format', 'range', 'from', 'to'].map((name) => String(data.get(name) ?? ''));
    const range = chosen === CUSTOM ? `${from}~${to}` : (chosen ?? '');
    await startDownload(apiPath(site, '/export'), { format: format ?? '', ...(range && { range }) });
    setDone(true);
  };
  return (
    <Block title={t('Export')} about={t('Download all hits of this site as a file.')}>
      <Form label={t('Export')} submit={download}>
        <Field label={t('Format')} name="format">
          <Options name="format" of={FORMATS} />
        </Field>
        <Field label={t('Days')} name="range">
          <Options name="range" of={RANGES} choose={(value) => setCustom(value === CUSTOM)} />
        </Field>
        {isCustom && (
          <div class="data-days">
            <Input name="from" type="date" label={t('First day')} />
            <Input name="to" type="date" label={t('Last day')} />
          </div>
        )}
        <Actions
          verb={t('Download')}
          done={isDone ? t('The download has begun. Days with only daily totals are not in the file.') : ''}
        />
      </Form>
    </Block>
  );
}

type OptionsProps = { name: string; of: Record<string, DashboardMessage>; choose?(value: string): void };

const Options = ({ name, of, choose }: OptionsProps) => (
  <select name={name} onChange={(event) => choose?.(event.currentTarget.value)}>
    {Object.entries(of).map(([value, label]) => (
      <option key={value} value={value}>
        {t(label)}
      </option>
    ))}
  </select>
);
