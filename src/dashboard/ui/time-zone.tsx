import { findCurrentName } from '../../lib/zone-names.ts';

export const ownZone = (): string => findCurrentName(Intl.DateTimeFormat().resolvedOptions().timeZone);

/**
 * Lists all time zones that the browser knows. An old name, such as Asia/Calcutta, is replaced by the current name,
 * Asia/Kolkata.
 */
export const knownZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').map(findCurrentName)];

const named = (zone: string): string => zone.replaceAll('_', ' ');

type Props = { value: string; isDisabled?: boolean; onChange(timeZone: string): void };

/** Lets the user choose a time zone. If the browser does not know the chosen zone `value`, it is added to the list. */
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
