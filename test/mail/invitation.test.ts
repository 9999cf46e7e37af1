import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type InvitationMail, invitationMail } from '../../src/mail/invitation.ts';
import { voiceIn } from '../../src/mail/voice.ts';

const ENGLISH = voiceIn('en');

const INVITATION: InvitationMail = {
  owner: 'owner@example.com',
  email: 'ann@example.com',
  role: 'viewer',
  url: 'https://stats.example.com/invite/0123456789012345678901234567890123456789abc',
};

test('the mail goes to whoever is invited and says who invites, as what, for how long and for whom', () => {
  const { to, subject, text } = invitationMail(INVITATION, ENGLISH);
  assert.equal(to, 'ann@example.com');
  assert.equal(subject, 'Invitation to a daybook account');
  assert.match(text, /^owner@example\.com has invited you to view their website statistics\.$/m);
  assert.match(text, /once, within 5 days, and only for this e-mail/);
  assert.match(text, /you can ignore this e-mail/);
});

test('the link stands alone on its line, once', () => {
  const { text } = invitationMail(INVITATION, ENGLISH);
  assert.equal(text.split('\n').filter((line) => line === INVITATION.url).length, 1);
  assert.equal(text.match(/https?:/g)?.length, 1);
});

test('each role is told what it may do', () => {
  const manager = invitationMail({ ...INVITATION, role: 'manager' }, ENGLISH).text;
  assert.match(manager, /has invited you to view and manage their website statistics\.$/m);
  assert.doesNotMatch(invitationMail(INVITATION, ENGLISH).text, /manage/);
  assert.doesNotMatch(manager, /undefined/);
});

test('nothing that others choose stands in the subject', () => {
  const other = {
    ...INVITATION,
    owner: 'other@example.com',
    email: 'bob@example.com',
    role: 'manager',
    url: 'http://x',
  };
  assert.equal(invitationMail(other, ENGLISH).subject, invitationMail(INVITATION, ENGLISH).subject);
});
