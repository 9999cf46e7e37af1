import { writeZip } from '../reading/zips.ts';

export type Row = Record<string, unknown>;

/** A file is lines of objects, or a text as it is given. */
export type ExportFiles = Record<string, readonly Row[] | string>;

/** What info.json says, as GoatCounter documents it. */
export const INFO = {
  export_version: '1.0',
  goatcounter_version: '2.7.0',
  created_for: 'stats.example.com',
  created_by: 'user_id=1 <owner@example.com>',
  created_at: '2026-03-05T08:49:27Z',
};

const LANGUAGES = [
  { iso_639_3: '', name: '(unknown)' },
  { iso_639_3: 'deu', name: 'German' },
];
const LOCATIONS = [
  { country: '', region: '', country_name: '(unknown)', region_name: '' },
  { country: 'DE', region: 'BW', country_name: 'Germany', region_name: 'Baden-Württemberg' },
];

/** The files of a small export, in the order in which GoatCounter writes them. */
export const SMALL: ExportFiles = {
  'info.json': JSON.stringify(INFO, null, 2),
  'paths.jsonl': [
    { id: 211, path: '/', title: 'Home page' },
    { id: 215, path: '/api', title: 'API' },
    { id: 1442298, path: 'click-banana', title: 'Yellow curvy fruit', event: true },
  ],
  'refs.jsonl': [
    { id: 1, ref: '', ref_scheme: 'o' },
    { id: 2, ref: 'Google', ref_scheme: 'g' },
    { id: 3, ref: 'www.x.org/page.html', ref_scheme: 'h' },
    { id: 4, ref: 'spring', ref_scheme: 'c' },
    { id: 5, ref: 'blog.example.com/about', ref_scheme: 'h' },
  ],
  'browsers.jsonl': [
    { id: 1, name: 'Chrome', version: '141' },
    { id: 2, name: 'Firefox', version: '83' },
    { id: 3, name: '', version: '' },
  ],
  'systems.jsonl': [
    { id: 1, name: 'Windows', version: '10' },
    { id: 2, name: 'Linux', version: 'Ubuntu' },
  ],
  'locations.jsonl': LOCATIONS,
  'languages.jsonl': LANGUAGES,
  'browser_stats.jsonl': [
    { day: '2026-03-01', path_id: 211, browser_id: 1, count: 6 },
    { day: '2026-03-01', path_id: 215, browser_id: 2, count: 3 },
    { day: '2026-03-01', path_id: 1442298, browser_id: 2, count: 2 },
    { day: '2026-03-02', path_id: 211, browser_id: 3, count: 1 },
  ],
  'system_stats.jsonl': [
    { day: '2026-03-01', path_id: 211, system_id: 1, count: 6 },
    { day: '2026-03-01', path_id: 215, system_id: 2, count: 3 },
    { day: '2026-03-02', path_id: 211, system_id: 2, count: 1 },
  ],
  'location_stats.jsonl': [
    { day: '2026-03-01', path_id: 211, location: 'DE-BW', count: 6 },
    { day: '2026-03-01', path_id: 215, location: 'DE', count: 1 },
    { day: '2026-03-01', path_id: 215, location: '', count: 2 },
    { day: '2026-03-02', path_id: 211, location: 'US-TX', count: 1 },
  ],
  'size_stats.jsonl': [{ day: '2026-03-01', path_id: 211, width: 1920, count: 9 }],
  'language_stats.jsonl': [
    { day: '2026-03-01', path_id: 211, language: 'deu', count: 6 },
    { day: '2026-03-01', path_id: 215, language: 'eng', count: 2 },
    { day: '2026-03-01', path_id: 215, language: '', count: 1 },
    { day: '2026-03-02', path_id: 211, language: 'fil', count: 1 },
  ],
  'hit_stats.jsonl': [
    { hour: '2026-03-01T10:00:00Z', path_id: 211, ref_id: 1, count: 4 },
    { hour: '2026-03-01T10:00:00Z', path_id: 215, ref_id: 5, count: 1 },
    { hour: '2026-03-01T19:00:00Z', path_id: 211, ref_id: 2, count: 2 },
    { hour: '2026-03-01T19:00:00Z', path_id: 215, ref_id: 3, count: 1 },
    { hour: '2026-03-01T19:00:00Z', path_id: 215, ref_id: 4, count: 1 },
    { hour: '2026-03-01T19:00:00Z', path_id: 1442298, ref_id: 2, count: 2 },
    { hour: '2026-03-01T23:00:00Z', path_id: 211, ref_id: 1, count: 1 },
  ],
};

export const FOLDER = 'goatcounter-export-stats-20260305T084927Z/';

const writeFile = (rows: readonly Row[] | string): string =>
  typeof rows === 'string' ? rows : rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Writes an export. The files replace those of a small export, and a file that is undefined is left out. */
export const writeExport = (
  path: string,
  files: Record<string, readonly Row[] | string | undefined> = {},
  folder = FOLDER,
): Promise<void> =>
  writeZip(
    path,
    Object.entries({ ...SMALL, ...files }).flatMap(([name, rows]) =>
      rows === undefined ? [] : [{ name: `${folder}${name}`, text: [writeFile(rows)] }],
    ),
  );
