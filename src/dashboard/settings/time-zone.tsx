import { changeSite, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { useAutosave } from '../ui/autosave.ts';
import { Block } from '../ui/block.tsx';
import { SavedField } from '../ui/saved-field.tsx';
import { TimeZoneSelect } from '../ui/time-zone.tsx';

export function TimeZone({ site, reload, mayChange }: PartProps) {
  const save = (zone: string) => changeSite(site, { time_zone: zone }).then(reload);
  const { value, error, status, set } = useAutosave(site.time_zone, save);
  return (
    <Block title={t('Time zone')} about={t('The reports of this site use this time zone for days, weeks and months.')}>
      <SavedField
        label={t('Time zone')}
        error={error}
        status={status}
        help={t('Applies from now on. Past days do not change.')}
      >
        <TimeZoneSelect value={value} isDisabled={!mayChange} onChange={set} />
      </SavedField>
    </Block>
  );
}
