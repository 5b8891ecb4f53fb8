// Prints how large the program is, and fails beyond the limits.
import { constants, brotliCompressSync } from "node:zlib";
import { compile, compress } from "./build.mjs";

const limits = { gzip: 3_600_000, brotli: 2_600_000 };
const program = compile();
const sizes = {
  plain: program.length,
  gzip: compress(program).length,
  brotli: brotliCompressSync(program, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: program.length },
  }).length,
};
for (const [name, size] of Object.entries(sizes)) {
  const limit = limits[name];
  console.log(`${name.padEnd(7)} ${String(size).padStart(9)}${limit ? `  of ${limit}` : ""}`);
  if (limit && size > limit) {
    process.exitCode = 1;
  }
}
