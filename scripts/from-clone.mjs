// Runs the command line program from a clone: `npm run crawl -- ./site`. npm changes into the package's folder before it
// runs a script; paths on the command line are resolved from the folder where they were typed.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const program = join(dirname(fileURLToPath(import.meta.url)), '../dist/bin/orbweaver.js');
process.argv[1] = program;
if (process.env['INIT_CWD'] !== undefined) process.chdir(process.env['INIT_CWD']);
await import(pathToFileURL(program).href);
