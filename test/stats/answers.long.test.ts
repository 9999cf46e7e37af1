import { test } from 'node:test';
import { share } from '../support/helpers.ts';
import { agreeAtEveryMoment } from './moments.ts';
import { shapes } from './shapes.ts';

for (const [name, limits] of shapes()) {
  // The torture asks ten thousand.
  test(`every report over any hits is that of the reference: open, sealed, topped up, after a restart${name}`, (t) =>
    agreeAtEveryMoment(t, limits, { sites: share(3), questionsEach: share(30) }));
}
