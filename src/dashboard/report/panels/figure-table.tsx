import type { ComponentChildren } from 'preact';

/** Shows a table whose first column names the rows, and whose other columns have figures. */
export function FigureTable({
  label,
  name,
  figures,
  children,
}: {
  /** The name of the table for screen readers. */
  label: string;
  name: string;
  figures: readonly string[];
  children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll a section only if it can have the focus
    <section class="figure-table" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            {figures.map((figure) => (
              <th key={figure} scope="col" class="number">
                {figure}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
