import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeCleanCopy, strangersEnvironment } from './clean-copy.ts'
import { startClickHouseServer } from './clickhouse-server.ts'
import { createTestDatabase } from './database.ts'

/**
 * What a server is installed and started with: no packages of developers, and no engines where none
 * is needed.
 */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const API_KEY = 'sk_us_0123456789abcdefghij'
let copy: string

function run(program: string, ...values: string[]): void {
  const env = strangersEnvironment({ NODE_ENV: 'production' })
  execFileSync(program, values, { cwd: copy, env, stdio: ['ignore', 'ignore', 'inherit'] })
}

function sizeOfModulesMiB(): number {
  return Number.parseInt(
    execFileSync('du', ['-sm', 'node_modules'], { cwd: copy, encoding: 'utf8' }),
    10,
  )
}

/** Starts it as the README says; its answers to a few requests. */
async function startAndAsk(settings: Record<string, string>): Promise<Record<string, number>> {
  const env = strangersEnvironment({
    NODE_ENV: 'production',
    PORT: '0',
    SALUS_DATA_DIR: join(copy, 'data'),
    SALUS_API_KEY: API_KEY,
    ...settings,
  })
  const child = spawn('npm', ['start'], { cwd: copy, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  let output = ''
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.stdout.on('data', (chunk) => {
    output += chunk
    const address = /API {3}(http:\S+)/.exec(output)?.[1]
    if (address !== undefined) resolve(address)
  })
  void ended.then(([code]) => reject(new Error(`ended with ${code}: ${output}`)))
  try {
    const address = await promise
    const headers = { 'x-service-api-key': API_KEY }
    const ask = async (path: string) => (await fetch(`${address}${path}`, { headers })).status
    // A busy machine may let a store answer late.
    for (let tries = 0; tries < 20 && (await ask('/health/ready')) !== 200; tries += 1)
      await delay(500)
    const answers: Record<string, number> = {}
    for (const path of Object.keys(ALL_WELL)) answers[path] = await ask(path)
    return answers
  } finally {
    child.kill('SIGTERM')
    await ended.catch(() => undefined)
  }
}

const ALL_WELL = {
  '/health/ready': 200,
  '/v2/user': 200,
  '/console': 200,
  '/openapi.json': 200,
  '/docs': 200,
}

before(() => {
  copy = makeCleanCopy()
  run('npm', 'ci', '--omit=dev')
})
after(() => rmSync(copy, { recursive: true, force: true }))

test('an install without packages of developers serves, with embedded databases', async () => {
  assert.ok(!existsSync(join(copy, 'node_modules/@biomejs')))
  assert.deepEqual(await startAndAsk({}), ALL_WELL)
})

test('an install without packages of developers has generated code, which the command line needs', () => {
  assert.ok(existsSync(join(copy, 'packages/sdk/src/api/resources.generated.ts')))
  run(join(copy, 'node_modules/.bin/salus'), 'users', '--help')
})

test('an install without packages of developers has the bill of materials that the project has with them', () => {
  const bill = join(copy, 'sbom.cdx.json')
  run('npm', 'run', '--silent', 'sbom', '--', bill)
  const here = execFileSync(process.execPath, ['scripts/sbom.ts'], { cwd: ROOT, encoding: 'utf8' })
  assert.equal(readFileSync(bill, 'utf8'), here)
})

test('an install that is trimmed as in the image serves on external stores, at a third of the size', async () => {
  const before = sizeOfModulesMiB()
  run(join(copy, 'node_modules/.bin/node'), 'deploy/trim-install.mjs', '--without-engines')
  const trimmed = sizeOfModulesMiB()
  assert.ok(trimmed < before / 2.5, `${trimmed} MiB of ${before}`)
  const [clickhouse, database] = await Promise.all([startClickHouseServer(), createTestDatabase()])
  try {
    const settings = {
      DATABASE_URL: database.url,
      CLICKHOUSE_URL: `${clickhouse.url}/salus`,
      SALUS_DATA_DIR: join(copy, 'data-outside'),
    }
    assert.deepEqual(await startAndAsk(settings), ALL_WELL)
  } finally {
    await clickhouse.stop()
    await database.close()
  }
})
