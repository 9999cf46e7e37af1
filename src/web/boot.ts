import type { Boot } from '../pages/application.ts';

export const boot: Boot = JSON.parse(document.getElementById('boot')?.textContent ?? 'null');
