import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const MODELS = new URL('./models.ts', import.meta.url).href

// The runtime writes telemetry into these folders first, with or without a network.
test('a model is loaded without telemetry', async () => {
  const home = mkdtempSync(join(tmpdir(), 'salus-models-'))
  const script = `const { loadDetectionModel } = await import(${JSON.stringify(MODELS)})
    console.log((await loadDetectionModel()).inputNames.length)
    process.exit(0)`
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, XDG_CACHE_HOME: home }
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env })
  assert.equal(stdout.trim(), '1')
  assert.deepEqual(readdirSync(home), [])
  rmSync(home, { recursive: true })
})
