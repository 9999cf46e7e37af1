import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { knownZones, ownZone, TimeZoneSelect } from '../../../src/dashboard/ui/time-zone.tsx';
import { RENAMED } from '../../../src/lib/zone-names.ts';

const shown = (value: string): string => renderToString(<TimeZoneSelect value={value} onChange={() => {}} />);

test('every zone can be chosen, and the one that is set is there although the browser has another name for it', () => {
  const html = shown('Nowhere/Else');
  for (const zone of ['UTC', 'Europe/Berlin', 'Nowhere/Else', ownZone()]) {
    assert.equal(html.split(`value="${zone}"`).length - 1, 1, zone);
  }
  assert.match(html, /selected[^>]*value="Nowhere\/Else"/);
  assert.match(html, />America\/New York</);
});

test('zones are offered by their names of today only', () => {
  const zones = knownZones();
  assert.ok(zones.includes('Asia/Kolkata') && zones.includes('Europe/Kyiv'));
  assert.deepEqual(
    zones.filter((zone) => zone in RENAMED),
    [],
  );
});
