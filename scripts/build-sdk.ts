import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeIgnoredFiles } from './generate/freshness.ts'

/**
 * Builds packages/sdk into a folder for `npm pack` and `npm publish`: ES modules, types, and the
 * OpenAPI document from which they are generated. Usage: node scripts/build-sdk.ts [FOLDER],
 * packages/sdk/dist by default.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SDK = join(ROOT, 'packages/sdk')
const TSC = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
  'package.json',
  'bin/tsc',
)

makeIgnoredFiles('changed')
const target = resolve(process.argv[2] ?? join(SDK, 'dist'))
rmSync(target, { recursive: true, force: true })
// Comments belong to the types, where editors show them.
compileSources('--removeComments')
compileSources('--declaration', '--emitDeclarationOnly')
writeFileSync(join(target, 'package.json'), `${JSON.stringify(describePackage(), null, 2)}\n`)
copyFileSync(join(SDK, 'README.md'), join(target, 'README.md'))
writeFileSync(join(target, 'openapi.json'), JSON.stringify(readJson('docs/openapi.json')))
copyFileSync(join(ROOT, 'LICENSE'), join(target, 'LICENSE'))

function compileSources(...flags: string[]): void {
  const args = [TSC, '-p', join(SDK, 'tsconfig.build.json'), '--outDir', target, ...flags]
  execFileSync(process.execPath, args, { stdio: 'inherit' })
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
}

function describePackage(): object {
  const { name, version, license, type } = readJson('packages/sdk/package.json')
  const entry = (file: string) => ({ types: `./${file}.d.ts`, default: `./${file}.js` })
  return {
    name,
    version,
    description: 'The typed client of Salus: wearable health data and laboratory ordering',
    license,
    type,
    sideEffects: false,
    engines: { node: '>=20' },
    exports: {
      '.': entry('index'),
      './webhooks': entry('webhooks'),
      './openapi.json': './openapi.json',
    },
  }
}
