import { currentName } from '../../lib/zone-names.ts';

/** The zone of the browser. */
export const ownZone = (): string => currentName(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Every zone that the browser knows, by its name of today. */
export const knownZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').map(currentName)];

const named = (zone: string): string => zone.replaceAll('_', ' ');

type Props = { value: string; isDisabled?: boolean; onChange(timeZone: string): void };

/** Every zone that the browser knows, and the one that is chosen. */
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
