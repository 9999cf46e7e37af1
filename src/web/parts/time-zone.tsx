/** The zone of whoever looks. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const named = (zone: string): string => zone.replaceAll('_', ' ');

type Props = { value: string; isDisabled?: boolean; onChange(timeZone: string): void };

/** Every zone that the browser knows, and the one that is chosen. */
export function TimeZoneSelect({ value, isDisabled = false, onChange }: Props) {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), value]);
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
