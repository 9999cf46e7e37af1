// How large the files are that a visitor or a user loads: the script of sites, and what the first view of the dashboard loads in English.
// `node bench/sizes.ts`. These sizes do not depend on the machine.
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { loadDashboard } from '../src/embedded/dashboard.ts';
import { loadScript } from '../src/embedded/script.ts';

const { brotli } = await loadScript();
console.log(`script: ${brotli.length} bytes`);

const { assets, script, texts, style } = await loadDashboard();
// From source the files are packed quickly, and the build packs them well.
const packed = (name: string): number =>
  brotliCompressSync(brotliDecompressSync(assets.get(name)?.brotli ?? Buffer.alloc(0))).length;
const firstView = [script, style, texts.en].reduce((sum, name) => sum + packed(name), 0);
console.log(`first view: ${(firstView / 1000).toFixed(1)} kB`);
