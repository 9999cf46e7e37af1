import { stdin } from 'node:process';
import { Refusal } from '../../lib/errors.ts';
import { openLog, unpackedPipe } from '../../logs/files.ts';
import { csvReader, type Row } from '../reading/csv.ts';
import { type JsonObject, jsonObjects } from '../reading/json-objects.ts';
import { lineRefusal, lineSplitter } from '../reading/lines.ts';

/** A table of a file, with its rows by the names of its columns. `start` is the day that "Nth day" counts from, such as 20260101. */
export type GoogleTable = { names: readonly string[]; start: string | undefined; rows: { row: Row; line: number }[] };

/**
 * How much a file may be unpacked. Its rows are in memory together, because the totals may stand behind them: at most some 600 MB,
 * as measured with so many rows.
 */
export type Limits = { rows: number; bytes: number };
const LIMITS: Limits = { rows: 2_000_000, bytes: 256 * 1024 * 1024 };
/** In characters. An answer with 250,000 rows has a third of it, or all of it with indents. */
const LONGEST_ANSWER = 96 * 1024 * 1024;

type Reader = { feed(chunk: Buffer): void; end(): void };
type Tables = { tables: GoogleTable[]; reader: Reader };

/** Rows have some eight cells; of a file with many columns fewer rows fit in memory. */
const ROW_CELLS = 8;

/** Counts rows by their cells, and refuses more than fit in memory. */
function rowCount(most: number) {
  let [rows, cells] = [0, 0];
  return (width: number): void => {
    rows++;
    cells += width;
    if (rows > most) throw new Refusal(`the file has more than ${most} rows; import fewer days at a time`);
    if (cells > most * ROW_CELLS)
      throw new Refusal(`the file has more than ${most * ROW_CELLS} cells; import fewer days or columns at a time`);
  };
}

const START = /^# Start date: (\d{8})/;
const GRAND_TOTAL = /(?:^,.*|,)Grand total\r?$/;

/** CSV exports of reports and explorations: comments, then tables with blank lines between; files may follow one another. */
function csvTables(count: (width: number) => void): Tables {
  const tables: GoogleTable[] = [];
  let start: string | undefined;
  let open: Reader | undefined;

  function begin(firstLine: number): Reader {
    const table: GoogleTable = { names: [], start, rows: [] };
    tables.push(table);
    return csvReader({
      required: [],
      firstLine,
      header(found) {
        table.names = found;
        return found;
      },
      onRow(row, line) {
        count(table.names.length);
        table.rows.push({ row, line });
      },
    });
  }

  const close = (): void => {
    open?.end();
    open = undefined;
  };
  const lines = lineSplitter((line, number) => {
    if (line.trim() === '' || line.startsWith('#')) {
      close();
      if (!line.startsWith('# ---')) start = START.exec(line)?.[1] ?? start;
      return;
    }
    open ??= begin(number);
    // A blank line in its place, so that the lines after it keep their numbers.
    open.feed(Buffer.from(GRAND_TOTAL.test(line) ? '\n' : `${line}\n`));
  });
  return {
    tables,
    reader: {
      feed: lines.feed,
      end(): void {
        lines.end();
        close();
      },
    },
  };
}

const listIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

/** Answers of runReport or batchRunReports; pages of one answer may follow one another, but none may be missing. */
function jsonTables(count: (width: number) => void): Tables {
  const tables: GoogleTable[] = [];
  const missing = new Map<string, { rows: number; of: number; line: number }>();
  function add(report: JsonObject, line: number): void {
    if (report.error) throw lineRefusal(line, 'Google answered with an error; ask again');
    const names = [...listIn(report.dimensionHeaders), ...listIn(report.metricHeaders)].map(({ name }) => textOf(name));
    if (names.length === 0) throw lineRefusal(line, 'dimensionHeaders', 'is missing; this is no answer of runReport');
    const rows = listIn(report.rows).map(({ dimensionValues, metricValues }) => {
      count(names.length);
      const cells = [...listIn(dimensionValues), ...listIn(metricValues)].map(({ value }) => textOf(value));
      if (cells.length !== names.length) throw lineRefusal(line, `each row must have ${names.length} values`);
      return { row: Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])), line };
    });
    tables.push({ names, start: undefined, rows });
    const of = Number(textOf(report.rowCount) || 0);
    const key = `${names.join()} ${of}`;
    const before = missing.get(key)?.rows ?? 0;
    missing.set(key, { rows: before + rows.length, of, line });
  }
  const objects = jsonObjects((object, line) => {
    const reports = listIn(object.reports);
    for (const report of reports.length > 0 ? reports : [object]) add(report, line);
  }, LONGEST_ANSWER);

  function refuseMissing(): void {
    for (const { rows, of, line } of missing.values()) {
      // Answers of several periods have the same columns, and may have as many rows.
      const lacking = rows === 0 ? of : (of - (rows % of)) % of;
      if (lacking > 0)
        throw lineRefusal(line, `lacks ${lacking} of ${of} rows; ask for the rest with offset, or for all with limit`);
    }
  }

  return {
    tables,
    reader: {
      feed: objects.feed,
      end(): void {
        objects.end();
        refuseMissing();
      },
    },
  };
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  if (path === '-') return yield* unpackedPipe(stdin);
  const file = openLog(path);
  try {
    yield* file.bytes(0);
  } finally {
    file.close();
  }
}

/** The tables of a file, which is read as it is unpacked: a small file may unpack to more than fits in memory. */
export async function googleTables(path: string, { rows, bytes }: Limits = LIMITS): Promise<GoogleTable[]> {
  const count = rowCount(rows);
  const csv = csvTables(count);
  let chosen: Tables | undefined;
  let size = 0;
  for await (const chunk of bytesOf(path)) {
    size += chunk.length;
    if (size > bytes) {
      const most = Math.round(bytes / 1024 / 1024);
      throw new Refusal(`the file has more than ${most} MB unpacked; import fewer days at a time`);
    }
    // The first character that is no blank tells what the file is.
    const [first] = chosen ? [] : (/[^\s\ufeff]/.exec(chunk.toString()) ?? []);
    if (first !== undefined) chosen = first === '[' || first === '{' ? jsonTables(count) : csv;
    (chosen ?? csv).reader.feed(chunk);
  }
  const { tables, reader } = chosen ?? csv;
  reader.end();
  return tables;
}
