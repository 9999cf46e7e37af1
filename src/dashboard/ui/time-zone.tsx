import { findCurrentName } from '../../lib/zone-names.ts';

export const ownZone = (): string => findCurrentName(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** All time zones that the browser knows. Zones with an old name get their current name. */
export const knownZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').map(findCurrentName)];

const named = (zone: string): string => zone.replaceAll('_', ' ');

type Props = { value: string; isDisabled?: boolean; onChange(timeZone: string): void };

/**
 * Lets the user choose a time zone. The browser may not know the present zone of the site, so this zone is added to the
 * list.
 */
export function TimeZoneSelect({ value, isDisabled = false, onChange }: Props) {
  const zones = new Set([...knownZones(), value]);
  return (
    <select value={value} disabled={isDisabled} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {[...zones].sort().map((zone) => (
        <option key={zone} value={zone}>
          {named(zone)}
        </option>
      ))}
    </select>
  );
}
