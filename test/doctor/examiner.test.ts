import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { examiner } from '../../src/doctor/examiner.ts';
import { noteUpkeep } from '../../src/store/server/upkeep.ts';
import { fileOf, TODAY } from '../collect/stage.ts';
import { mailServer } from '../mail/server.ts';

test('a server that is asked again and again greets its mail server once a minute, and sees the rest anew', async (t) => {
  const { path, open } = fileOf(t);
  const { db } = open();
  const mail = await mailServer(t);
  let tick = 0;
  let grown = 0;
  const now = TODAY * 86_400_000;
  const examine = examiner({
    config: readConfig({ db: path, ...mail.settings }, {}),
    db,
    path,
    clock: { now: () => now, tick: () => tick },
    upkeep: { listSilentServers: async () => [], examineServers: async () => [] },
    queries: {
      findLastHit: async () => 0,
      listDroppedDays: async () => [],
      measureGrowth: async (today) => {
        assert.equal(today, TODAY);
        grown++;
        return 1e6;
      },
    },
  });
  const about = async (name: string) => (await examine()).find((one) => one.name === name);

  const [one, other] = await Promise.all([examine(), examine()]);
  assert.equal(one, other, 'those who ask at once share one look');
  assert.equal(grown, 1);
  assert.match((await about('disk'))?.says ?? '', / grows 8\.0 MB a day/);

  noteUpkeep(db, 'restore', { at: 0, fine: false, words: 'it is damaged' });
  assert.equal((await about('restore'))?.fine, false);

  mail.state.isDown = true;
  tick = 59_999;
  assert.equal((await about('mail'))?.fine, true);
  assert.equal(mail.connections(), 1);
  tick = 60_000;
  assert.equal((await about('mail'))?.fine, false);
  await examine();
  assert.equal(mail.connections(), 2);
});
