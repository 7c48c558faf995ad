import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'vite'
import { skipBrowserTests, startBrowser } from '../../web/test/browser.ts'
import { createPackageFixture, environmentOf, readExamples } from './installed-package.ts'

const run = promisify(execFile)
const fixture = createPackageFixture()

test('the packed SDK brings nothing with it, and is small', () => {
  // More than half of it is the OpenAPI document.
  assert.ok(fixture.installed.packedBytes < 450_000, `${fixture.installed.packedBytes} bytes`)
})

test('the packed SDK holds the OpenAPI document that it is made of', () => {
  const { resolve } = createRequire(join(fixture.installed.folder, 'package.json'))
  const packed = JSON.parse(readFileSync(resolve('@salus/sdk/openapi.json'), 'utf8'))
  const document = new URL('../../../docs/openapi.json', import.meta.url)
  assert.deepEqual(packed, JSON.parse(readFileSync(document, 'utf8')))
})

test('the folder of the source refuses to be packed, and says which folder is', () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const packed = spawnSync('npm', ['pack', '--dry-run'], { cwd, encoding: 'utf8' })
  assert.notEqual(packed.status, 0)
  assert.match(packed.stderr, /then npm pack \.\/dist/)
})

/** Runs the examples of the README where only the SDK is installed. */
async function runExamples(node: string): Promise<void> {
  const examples = [...readExamples()].filter(([name]) => name.endsWith('.mjs'))
  assert.ok(examples.length >= 6, `${examples.length} examples`)
  for (const [name, code] of examples) {
    writeFileSync(join(fixture.installed.folder, name), code)
    const output = await fixture.installed.run(name, environmentOf(fixture), node)
    // Each says at its end what it prints.
    const [, expected = ''] = /\n\/\/ prints: (.*)\n$/.exec(code) ?? []
    assert.notEqual(expected, '', name)
    const pattern = expected.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[^\\n]*')
    assert.match(output, new RegExp(`${pattern}\\n$`), name)
  }
}

test('the examples of its README run on the Node.js of the tests', () =>
  runExamples(process.execPath))

for (const major of [20, 22]) {
  test(`the examples of its README run on Node.js ${major}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'salus-node-'))
    try {
      const node = await installNode(major, folder)
      const { stdout: version } = await run(node, ['--version'])
      assert.ok(version.startsWith(`v${major}.`), version)
      await runExamples(node)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

/**
 * Installs the newest Node.js of a major version from the registry of npm packages. The server of
 * the tests, which is in this process, goes on meanwhile.
 */
async function installNode(major: number, folder: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  const args = ['install', '--no-audit', '--no-fund', `${name}@${major}`]
  await run('npm', args, { cwd: folder })
  return join(folder, 'node_modules', name, 'bin/node')
}

const PAGE = `
import { NotFoundError, Salus } from '@salus/sdk'
export async function tryOut(apiKey) {
  const salus = new Salus({ apiKey, baseUrl: location.origin })
  const made = await salus.users.create({ client_user_id: 'browser' })
  const listed = await salus.users.list({ limit: 1 }).toArray()
  await salus.connections.createManual('manual', { user_id: made.user_id })
  const data = [{ value: 95, unit: 'mg/dL', start_date: '2026-01-01T07:30:00Z' }]
  const upload = { stage: 'daily', provider: 'manual', data }
  const { inserted } = await salus.timeseries.uploadAll(made.user_id, 'glucose', upload)
  const body = { file: [new Blob(['no pdf'], { type: 'application/pdf' })], user_id: made.user_id }
  const report = await salus.labReports.create(body).catch((error) => error.name)
  const unknown = await salus.users.get(crypto.randomUUID?.() ?? 'x').catch((error) => error)
  return {
    found: listed.some(({ user_id }) => user_id === made.user_id),
    inserted,
    report: typeof report === 'string' ? report : 'created',
    isNotFound: unknown instanceof NotFoundError,
  }
}
`

test('the packed SDK works in a bundle for browsers, on the origin of the server', {
  skip: skipBrowserTests,
}, async () => {
  const entry = join(fixture.installed.folder, 'page.js')
  writeFileSync(entry, PAGE)
  const lib = { entry, formats: ['es' as const], fileName: 'page' }
  const output = await build({
    root: fixture.installed.folder,
    configFile: false,
    logLevel: 'error',
    build: { lib, write: false },
  })
  const [bundle] = [output].flat()
  assert.ok(bundle !== undefined && 'output' in bundle)
  const { code } = bundle.output[0]
  assert.doesNotMatch(code, /from ?["']node:/)
  const browser = await startBrowser()
  try {
    const page = await browser.newPage()
    await page.route('**/sdk-test**', (route) => {
      const isScript = route.request().url().endsWith('.js')
      const contentType = isScript ? 'text/javascript' : 'text/html'
      return route.fulfill({
        contentType,
        body: isScript ? code : '<!doctype html><title>t</title>',
      })
    })
    await page.goto(`${fixture.server.url}/sdk-test`)
    const source = `import('/sdk-test.js').then(({ tryOut }) => tryOut('${fixture.server.keys.api_key}'))`
    assert.deepEqual(await page.evaluate(source), {
      found: true,
      inserted: 1,
      report: 'BadRequestError',
      isNotFound: true,
    })
  } finally {
    await browser.close()
  }
})

test('its types, and the examples in TypeScript, hold under a strict compiler', async () => {
  const examples = [...readExamples()].filter(([name]) => name.endsWith('.ts'))
  assert.ok(examples.length >= 6, `${examples.length} examples`)
  for (const [name, code] of examples) writeFileSync(join(fixture.installed.folder, name), code)
  await fixture.installed.checkTypes()
})
