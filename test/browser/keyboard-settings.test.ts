import { test } from 'node:test';
import { passwordOf } from '../support/people.ts';
import { look, serving } from './browser.ts';
import { keyboardOn } from './keyboard.ts';

test('by keyboard alone: a site, its goals, a funnel, a note, an exclusion and another name', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 2, '/wp-login': 3 });
  const page = await stage.signIn(stage.owner);
  const { use, type, press, choose, load } = keyboardOn(page);
  const said = (text: string | RegExp) => page.getByText(text).first();

  const adding = page.getByRole('dialog', { name: 'Add a site' });
  await use('button', 'Add a site', adding);
  await type('textbox', /^Domain/, 'new.example', adding);
  await press('Enter', page.getByRole('heading', { level: 1, name: 'new.example' }));

  await page.goto('/sites/example.com/settings/goals');
  const goals = page.getByRole('group', { name: 'Goals' });
  await type('combobox', /^Path/, '/thanks');
  await press('Enter', goals.getByRole('button', { name: 'Edit Page /thanks' }));
  await use('button', 'Edit Page /thanks', page.getByRole('form', { name: 'Save' }));
  await type('combobox', /^Path/, '/order', page.getByRole('form', { name: 'Save' }));
  await press('Enter', goals.getByRole('button', { name: 'Remove Page /order' }));
  await use('button', 'Remove Page /order', said('Remove this goal? Your visits are kept.'));
  await use('button', 'Remove Page /order', said('No goals yet'));

  await use('link', 'Funnels', page.getByRole('heading', { name: 'New funnel' }));
  const funnel = page.getByRole('form', { name: 'Add funnel' });
  await type('textbox', /^Name/, 'Order', funnel);
  for (const step of [1, 2]) {
    await type('combobox', /^Path/, `/${step}`, funnel.getByRole('group', { name: `Step ${step}` }));
  }
  await press('Enter', page.getByRole('button', { name: 'Remove Order' }));

  await use('link', 'Notes', page.getByRole('form', { name: 'Add note' }));
  await type('textbox', /^What happened/, 'A release');
  await press('Enter', page.getByRole('button', { name: /^Remove .*A release$/ }));

  await use('link', 'Excluded visits', page.getByRole('form', { name: 'New exclusion' }));
  const form = page.getByRole('form', { name: 'New exclusion' });
  await choose('combobox', 'Filter by', 'Entry page', form);
  await choose('combobox', 'Condition', 'contains', form);
  await type('combobox', 'Value', 'wp-', form);
  await use('button', 'Preview', form.getByRole('button', { name: 'Exclude 3 visits' }), { within: form });
  const back = page.getByRole('button', { name: 'Undo Entry page contains wp-' });
  await use('button', 'Exclude 3 visits', back, { within: form });
  await use('button', 'Undo Entry page contains wp-', page.getByRole('button', { name: 'Cancel' }));
  await use('button', 'Undo Entry page contains wp-', said('No exclusions yet'));

  // The installation check answers last and moves what is below it.
  await use('link', 'General', page.getByRole('link', { name: 'See your reports' }));
  await type('textbox', /^Site domain/, 'newer.example');
  const confirmation = page.getByRole('textbox', { name: 'Type example.com to confirm' });
  await use('button', 'Preview', confirmation, { within: page.getByRole('form', { name: 'Domain' }) });
  await type('textbox', /^Type example.com/, 'example.com');
  await use('button', 'Rename to newer.example', page.getByRole('heading', { name: 'newer.example' }));
  await load('link', 'Reports', page.getByRole('heading', { name: 'newer.example' }));
});

test('by keyboard alone: signing in, people, tokens, sessions, the language and signing out', async (t) => {
  const stage = await serving(t);
  // In two other places, so that there are sessions to end.
  for (let place = 0; place < 2; place++) await stage.signIn(stage.owner);
  const page = await stage.open();
  const { goTo, use, type, press, load } = keyboardOn(page);
  await page.goto('/sign-in');
  await type('textbox', /E-mail/, stage.owner.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(passwordOf(stage.owner));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();

  await use('link', 'Account', page.getByRole('heading', { level: 1, name: 'Account' }));
  for (const [key, heading] of [
    ['D', 'Konto'],
    ['ArrowUp', 'Account'],
  ] as const) {
    await goTo('combobox', /^(?:Language|Sprache)/);
    await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }
  await use('link', 'Team', page.getByRole('form', { name: 'Invite' }));
  await type('textbox', 'E-mail address', 'bob@example.org');
  await press('Enter', page.getByRole('group', { name: 'The invitation' }));
  await use('link', 'Tokens', page.getByRole('form', { name: 'Create token' }));
  await type('textbox', /^Name/, 'A script');
  await press('Enter', page.getByRole('group', { name: 'Your new token' }));
  await use('link', 'Sessions', page.getByRole('heading', { name: 'Your sessions' }));
  const others = page.getByText('You will need to sign in again in all other browsers.');
  await use('button', 'Sign out everywhere else', others);
  await press('Escape', others, 'detached');
  await load('button', 'Sign out', page.getByRole('button', { name: 'Sign in' }));
});
