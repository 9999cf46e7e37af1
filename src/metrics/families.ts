export type Counter = { add(labels?: readonly string[], count?: number): void };
export type Histogram = { observe(value: number): void };

type Family = { head: string; lines(): string[] };

const escaped = (value: string): string =>
  value.replaceAll(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`));

const labelled = (name: string, labels: readonly string[], values: readonly string[]): string =>
  labels.length === 0
    ? name
    : `${name}{${labels.map((label, i) => `${label}="${escaped(values[i] ?? '')}"`).join(',')}}`;

/** Counters, histograms and gauges, and the text format in which Prometheus reads them. */
export function metrics() {
  const families: Family[] = [];
  const family = (name: string, type: string, help: string, lines: () => string[]) =>
    families.push({ head: `# HELP ${name} ${help}\n# TYPE ${name} ${type}`, lines });

  return {
    counter(name: string, help: string, labels: readonly string[] = []): Counter {
      const counts = new Map<string, { values: readonly string[]; count: number }>();
      if (labels.length === 0) counts.set('', { values: [], count: 0 });
      family(name, 'counter', help, () =>
        [...counts.values()].map(({ values, count }) => `${labelled(name, labels, values)} ${count}`),
      );
      return {
        add(values = [], count = 1) {
          const key = values.join('\n');
          const known = counts.get(key);
          if (known) known.count += count;
          else counts.set(key, { values, count });
        },
      };
    },

    /** `bounds` are the upper bounds of the buckets, in ascending order. */
    histogram(name: string, help: string, bounds: readonly number[]): Histogram {
      const counts = new Array<number>(bounds.length + 1).fill(0);
      let sum = 0;
      family(name, 'histogram', help, () => {
        let below = 0;
        const buckets = [...bounds, '+Inf'].map((bound, i) => {
          below += counts[i] ?? 0;
          return `${name}_bucket{le="${bound}"} ${below}`;
        });
        return [...buckets, `${name}_sum ${sum}`, `${name}_count ${below}`];
      });
      return {
        observe(value) {
          const found = bounds.findIndex((bound) => value <= bound);
          const bucket = found < 0 ? bounds.length : found;
          counts[bucket] = (counts[bucket] ?? 0) + 1;
          sum += value;
        },
      };
    },

    /** A value that is read for each scrape; it is left out while it is undefined. */
    gauge(name: string, help: string, read: () => number | undefined): void {
      family(name, 'gauge', help, () => {
        const value = read();
        return value === undefined ? [] : [`${name} ${value}`];
      });
    },

    /** The same for each of several, which a label names. */
    gaugeBy(name: string, help: string, label: string, read: () => readonly (readonly [string, number])[]): void {
      family(name, 'gauge', help, () =>
        read().map(([value, number]) => `${labelled(name, [label], [value])} ${number}`),
      );
    },

    text: (): string => `${families.flatMap(({ head, lines }) => [head, ...lines()]).join('\n')}\n`,
  };
}
