import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createPackageFixture, environmentOf, readExamples } from './installed-package.ts'

const fixture = createPackageFixture()

test('the packed SDK brings nothing with it, and is small', () => {
  // More than half of it is the OpenAPI document.
  assert.ok(fixture.installed.packedBytes < 400_000, `${fixture.installed.packedBytes} bytes`)
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

test('the examples of its README run where only it is installed', async () => {
  const examples = [...readExamples()].filter(([name]) => name.endsWith('.mjs'))
  assert.ok(examples.length >= 6, `${examples.length} examples`)
  for (const [name, code] of examples) {
    writeFileSync(join(fixture.installed.folder, name), code)
    const output = await fixture.installed.run(name, environmentOf(fixture))
    // Each says at its end what it prints.
    const [, expected = ''] = /\n\/\/ prints: (.*)\n$/.exec(code) ?? []
    assert.notEqual(expected, '', name)
    const pattern = expected.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[^\\n]*')
    assert.match(output, new RegExp(`${pattern}\\n$`), name)
  }
})

test('its types, and the examples in TypeScript, hold under a strict compiler', async () => {
  const examples = [...readExamples()].filter(([name]) => name.endsWith('.ts'))
  assert.ok(examples.length >= 6, `${examples.length} examples`)
  for (const [name, code] of examples) writeFileSync(join(fixture.installed.folder, name), code)
  await fixture.installed.checkTypes()
})
