// The main script of the single executable: runs the program with the code that V8 compiled when the executable was built.
const { getAsset, getRawAsset } = require('node:sea');
const { Script } = require('node:vm');

const program = new Script(getAsset('program.js', 'utf8'), {
  filename: 'orch.js',
  cachedData: new Uint8Array(getRawAsset('program.cache')),
});
program.runInThisContext()(require);
