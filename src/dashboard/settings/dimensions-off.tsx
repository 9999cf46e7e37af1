// The dimensions that a site stores. A site may switch off dimensions of visits, such as the country. From then on,
// they are not stored, and their tabs are hidden. Stored visits do not change.
//
// Example: if the browser is switched off, the browser's version is switched off too, because it contains the browser's
// name.
//
// collection.tsx shows `DimensionsOff`.

import { useState } from 'preact/hooks';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { addPlaces, completeOff, OPTIONAL_DIMENSIONS, type OptionalDimension } from '../../stats/dimensions-off.ts';
import { NAMED_DIMENSIONS } from '../core/named-dimensions.ts';
import { changeSite, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Actions, Field, Fields, Form } from '../ui/form.tsx';

const ABOUT: DashboardMessage =
  'Dimensions that you switch off are not stored from now on, and their tabs are hidden. Visits that are already stored do not change.';

export function DimensionsOff({ site, reload, mayChange }: PartProps) {
  const [chosen, choose] = useState<readonly OptionalDimension[]>(site.dimensions_off);
  const [isSaved, setSaved] = useState(false);
  const off = completeOff(chosen);
  // Another switch turns regions and cities on together. While they are off, this form has no checkboxes for them.
  const notOn = addPlaces([], site.places);
  const forced = (name: OptionalDimension) => completeOff(chosen.filter((other) => other !== name)).includes(name);
  const set = (name: OptionalDimension, isKept: boolean) => {
    choose(isKept ? chosen.filter((other) => other !== name) : [...chosen, name]);
    setSaved(false);
  };
  const save = async () => {
    await changeSite(site, { dimensions_off: off });
    setSaved(true);
    reload();
  };
  return (
    <Block title={t('Stored dimensions')} about={t(ABOUT)}>
      <Form label={t('Stored dimensions')} submit={save}>
        <Fields label={t('Dimensions of a visit')} name="dimensions_off">
          <div class="switch-grid">
            {OPTIONAL_DIMENSIONS.filter((name) => !notOn.includes(name)).map((name) => (
              <Field key={name} label={t(NAMED_DIMENSIONS[name].name)}>
                <input
                  type="checkbox"
                  checked={!off.includes(name)}
                  disabled={!mayChange || forced(name)}
                  onChange={(event) => set(name, event.currentTarget.checked)}
                />
              </Field>
            ))}
          </div>
        </Fields>
        {mayChange && <Actions verb={t('Save')} done={isSaved ? t('Saved') : ''} />}
      </Form>
    </Block>
  );
}
