// Measures the size of the files that a visitor or a user loads: the script of sites, and what the first view of the
// dashboard loads in English. Usage: `node bench/sizes.ts`. These sizes do not depend on the machine.
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { loadDashboard } from '../src/embedded/dashboard.ts';
import { loadScript } from '../src/embedded/script.ts';

const { brotli } = await loadScript();
console.log(`script: ${brotli.length} bytes`);

const { assets, script, texts, style } = await loadDashboard();
// A program that runs from source compresses its files quickly but weakly. So the files are compressed again here, as
// the build does.
const packed = (name: string): number =>
  brotliCompressSync(brotliDecompressSync(assets.get(name)?.brotli ?? Buffer.alloc(0))).length;
const firstView = [script, style, texts.en].reduce((sum, name) => sum + packed(name), 0);
console.log(`first view: ${(firstView / 1000).toFixed(1)} kB`);
