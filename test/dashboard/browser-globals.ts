/** What the dashboard's modules ask of a browser when they are loaded; imported before them by tests of components. */
const BOOT = { share: null, email: 'owner@example.com', server: true, cluster: true, mails: false, language: 'en' };

Object.assign(globalThis, {
  document: { getElementById: () => ({ textContent: JSON.stringify(BOOT) }), documentElement: { dataset: {} } },
  location: new URL('https://stats.example/sites/example.com'),
  addEventListener: () => {},
  matchMedia: () => ({ addEventListener: () => {} }),
});
