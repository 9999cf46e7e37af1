import { randomBytes } from 'node:crypto';
import { makePasswords } from '../../src/auth/passwords.ts';
import { makeTokenSecret } from '../../src/lib/secrets.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { addToken } from '../../src/store/people/tokens.ts';
import { addUser } from '../../src/store/people/users.ts';
import { addSite } from '../../src/store/sites/sites.ts';
import { NOON } from './helpers.ts';
import { CHEAP } from './people.ts';

export const ANN = { email: 'ann@example.com', password: 'a password of ann' };

/**
 * A file in which ann has sites of these domains, numbered from 1, without a start of the program for each; gives a token of hers
 * that may do everything.
 */
export async function furnish(path: string, domains: readonly string[] = ['example.com']): Promise<string> {
  const password = await makePasswords(CHEAP).hash(ANN.password);
  const { db, close } = openStore(path);
  const [secret, now] = [makeTokenSecret(randomBytes), NOON / 1000];
  const id = db.write(() => {
    const user = addUser(db, { email: ANN.email, password, now });
    for (const domain of domains) addSite(db, { accountId: user.accountId, domain, now });
    return addToken(db, { userId: user.id, name: 'x', abilities: ['read', 'write', 'collect'], secret, now }).id;
  });
  close();
  return `${id}|${secret}`;
}
