import type { Site } from '../../api/sites.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { changeSite, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Switch } from '../ui/switch.tsx';

/** The names of the settings of a site that are on or off. */
type SwitchName = { [Name in keyof Site]: Site[Name] extends boolean ? Name : never }[keyof Site];

export type Setting<Name extends SwitchName = SwitchName> = {
  name: Name;
  label: DashboardMessage;
  help: DashboardMessage;
};

/** A setting of the site that is stored as soon as it is clicked. */
export function SiteSwitch({ of: { name, label, help }, site, reload, mayChange }: PartProps & { of: Setting }) {
  const save = (isOn: boolean) => changeSite(site, { [name]: isOn }).then(reload);
  return <Switch label={t(label)} help={t(help)} isOn={site[name]} isDisabled={!mayChange} save={save} />;
}
