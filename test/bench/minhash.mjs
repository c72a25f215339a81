/**
 * Measures the time to sign a page of 2,000 words and the quality of the estimate, compared with the minhash package. The package
 * accepts only shingles as strings, ours a text; each is timed with the input that it needs.
 * Run after `npm run build`: node test/bench/minhash.mjs
 */
import { cpus, loadavg } from 'node:os';
import { Minhash } from 'minhash';
import { superMinHash } from '../../dist/src/core/fingerprint/minhash.js';
import { shinglesOf } from '../../dist/src/core/fingerprint/shingle.js';
import { textSignature } from '../../dist/src/core/fingerprint/signature.js';

const words = Array.from({ length: 2000 }, (_, index) => `word${(index * 7919) % 1500}`);
const text = words.join(' ');
const strings = words.slice(4).map((_, index) => words.slice(index, index + 5).join(' '));

const contestants = {
  'own, from the text': () => textSignature(text),
  'own, shingles only': () => shinglesOf(text),
  'own, signature of ready shingles': (() => {
    const shingles = shinglesOf(text);
    return () => superMinHash(shingles);
  })(),
  'minhash package, from ready strings': () => {
    const hash = new Minhash({ numPerm: 128 });
    for (const shingle of strings) hash.update(shingle);
    return hash;
  },
};

const times = new Map(Object.keys(contestants).map((name) => [name, []]));
for (let round = 0; round < 60; round += 1) {
  for (const [name, run] of Object.entries(contestants)) {
    const start = performance.now();
    run();
    if (round >= 10) times.get(name).push(performance.now() - start);
  }
}
console.log(`node ${process.version}, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}; ms for 2,000 words`);
for (const [name, all] of times) {
  all.sort((a, b) => a - b);
  console.log(`${name.padEnd(40)} least ${all[0].toFixed(3)}  median ${all[all.length >> 1].toFixed(3)}`);
}

const random = (() => {
  let state = 1;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
})();
for (const similar of [0.5, 0.9]) {
  const errors = { own: 0, package: 0 };
  const pairs = 200;
  for (let pair = 0; pair < pairs; pair += 1) {
    const common = Array.from({ length: 300 * similar }, random);
    const sets = [0, 1].map(() => [...common, ...Array.from({ length: (300 - common.length) / 2 }, random)]);
    const [a, b] = sets.map((set) => superMinHash(set));
    errors.own += (a.filter((value, index) => value === b[index]).length / a.length - similar) ** 2;
    const [c, d] = sets.map((set) => {
      const hash = new Minhash({ numPerm: 128 });
      for (const element of set) hash.update(`${element}`);
      return hash;
    });
    errors.package += (c.jaccard(d) - similar) ** 2;
  }
  const rmse = (sum) => Math.sqrt(sum / pairs).toFixed(4);
  console.log(`RMSE at J = ${similar}, 300 shingles: own ${rmse(errors.own)}, package ${rmse(errors.package)}`);
}
