// Counters, histograms and gauges, in the text format that Prometheus reads. `meters.ts` makes the families of the
// server.
//
// A family is a metric with its help, its type and its lines. A counter only grows. A gauge is read when Prometheus
// asks. A histogram counts for each bound how many values are at most this bound. With the bounds 1 and 5, the value 3
// counts for 5 and for +Inf.
//
// Example of a counter: `daybook_hits_dropped_total{reason="bot"} 12`. The label `reason` divides the counter into one
// line for each reason. Two comment lines before these lines have the help and the type.

export type Counter = { add(labels?: readonly string[], count?: number): void };
export type Histogram = { observe(value: number): void };

type Family = { head: string; lines(): string[] };

export function makeFamilies() {
  const families: Family[] = [];
  const preparations: (() => Promise<void>)[] = [];
  const addFamily = (name: string, type: string, help: string, lines: () => string[]) =>
    families.push({ head: `# HELP ${name} ${help}\n# TYPE ${name} ${type}`, lines });

  return {
    counter(name: string, help: string, labels: readonly string[] = []): Counter {
      const counts = new Map<string, { values: readonly string[]; count: number }>();
      if (labels.length === 0) counts.set('', { values: [], count: 0 });
      addFamily(name, 'counter', help, () =>
        [...counts.values()].map(({ values, count }) => `${writeLabels(name, labels, values)} ${count}`),
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
      addFamily(name, 'histogram', help, () => {
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

    /**
     * Adds a gauge. `read` returns the value when Prometheus asks. If the value is undefined, the gauge has no line.
     */
    gauge(name: string, help: string, read: () => number | undefined): void {
      addFamily(name, 'gauge', help, () => {
        const value = read();
        return value === undefined ? [] : [`${name} ${value}`];
      });
    },

    gaugeBy(name: string, help: string, label: string, read: () => readonly (readonly [string, number])[]): void {
      addFamily(name, 'gauge', help, () =>
        read().map(([value, number]) => `${writeLabels(name, [label], [value])} ${number}`),
      );
    },

    /**
     * Runs `work` each time before the metrics are written. `work` reads values that take time, and gauges then return
     * these values.
     */
    prepare: (work: () => Promise<void>): void => void preparations.push(work),

    async text(): Promise<string> {
      await Promise.all(preparations.map((work) => work()));
      return `${families.flatMap(({ head, lines }) => [head, ...lines()]).join('\n')}\n`;
    },
  };
}

const writeLabels = (name: string, labels: readonly string[], values: readonly string[]): string =>
  labels.length === 0
    ? name
    : `${name}{${labels.map((label, i) => `${label}="${escapeLabel(values[i] ?? '')}"`).join(',')}}`;

const escapeLabel = (value: string): string =>
  value.replaceAll(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`));
