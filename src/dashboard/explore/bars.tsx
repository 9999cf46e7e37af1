export type Bar = { name: string; value: number; text: string };

/** At most this many bars are shown. More bars would push the table out of sight. */
const MOST_BARS = 10;

/** Shows the first rows as bars. The largest value has the longest bar. */
export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const shown = bars.slice(0, MOST_BARS);
  const most = Math.max(...shown.map(({ value }) => value), 0) || 1;
  return (
    <ol class="bars" aria-label={label}>
      {shown.map(({ name, value, text }) => (
        <li key={name}>
          <span class="bars-name" title={name}>
            {name}
          </span>
          <span class="bars-room">
            <span class="bars-bar" style={{ width: `${(value / most) * 100}%` }} />
          </span>
          <span class="bars-text">{text}</span>
        </li>
      ))}
    </ol>
  );
}
