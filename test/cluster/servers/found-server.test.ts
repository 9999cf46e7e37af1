import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAddress } from '../../../src/cluster/servers/address.ts';
import { askServer } from '../../../src/cluster/servers/found-server.ts';

test('a server that does not respond: the port is asked for, unless it was written', async () => {
  const hintFor = async (scheme: string, host: string) => {
    const address = parseAddress(`${scheme}://${host}/daybook`);
    const found = await askServer(address, address.urls[0] ?? '', () => {});
    assert.ok('fault' in found);
    return found.fault.split('. ')[1];
  };
  assert.equal(await hintFor('clickhouse', 'nowhere.invalid'), 'Write the HTTP port too, such as nowhere.invalid:8123');
  assert.equal(
    await hintFor('clickhouses', 'nowhere.invalid'),
    'Write the HTTP port too, such as nowhere.invalid:8443',
  );
  // These are the usual ports of the web, which a URL leaves out.
  assert.equal(await hintFor('clickhouse', 'nowhere.invalid:80'), undefined);
  assert.equal(await hintFor('clickhouses', 'nowhere.invalid:443'), undefined);
});
