// The general settings of a site, as a list of sections. Large sections have their own files. Small sections are here:
// the main goal and speed. All settings except the domain are saved as soon as they are changed.
//
// Example: a manager chooses the main goal "Order". The conversion rate of this goal is shown next to the visitors.
// pages/settings.tsx shows `GeneralPart`.

import type { Goal } from '../../api/goals.ts';
import { useData } from '../core/api.ts';
import { apiPath, changeSite, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { useAutosave } from '../ui/autosave.ts';
import { Block } from '../ui/block.tsx';
import { SavedField } from '../ui/saved-field.tsx';
import { Currency } from './currency.tsx';
import { InstallCheck } from './install-check.tsx';
import { Rename } from './rename.tsx';
import { type Setting, SiteSwitch } from './site-switch.tsx';
import { Snippet } from './snippet.tsx';
import { targetName } from './target.tsx';
import { TimeZone } from './time-zone.tsx';

const VITALS: Setting = {
  name: 'track_vitals',
  label: 'Measure how fast pages are',
  help: 'A second script measures web vitals. To use it, paste the second line of the snippet into your pages too.',
};

export function GeneralPart(props: PartProps) {
  return (
    <>
      <Snippet site={props.site} />
      <InstallCheck site={props.site} />
      <TimeZone {...props} />
      <MainGoal {...props} />
      <Currency {...props} />
      <Block title={t('Speed')}>
        <SiteSwitch of={VITALS} {...props} />
      </Block>
      <Rename key={props.site.domain} site={props.site} />
    </>
  );
}

function MainGoal({ site, reload, mayChange }: PartProps) {
  const goals = useData<Goal[]>(apiPath(site, '/goals'));
  const save = (id: number | null) => changeSite(site, { main_goal_id: id }).then(reload);
  const { value, error, status, set } = useAutosave(site.main_goal_id, save);
  return (
    <Block title={t('Main goal')} about={t('The conversion rate of the main goal is shown next to the visitors.')}>
      <SavedField label={t('Goal')} error={error ?? goals.error?.message} status={status}>
        <select
          value={value ?? ''}
          disabled={!mayChange || !goals.data}
          onChange={(event) => set(Number(event.currentTarget.value) || null)}
        >
          <option value="">{t('None')}</option>
          {goals.data?.map((goal) => (
            <option key={goal.id} value={goal.id}>
              {targetName(goal)}
            </option>
          ))}
        </select>
      </SavedField>
    </Block>
  );
}
