import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import {
  CLARITY,
  type Content,
  EXPORTS,
  type Files,
  FOREIGN_FILES,
  LIBREVIEW,
  OURA,
  WHOOP_ZIP,
} from '../../../../server/test/imports/export-samples.ts'
import { mapContent, zipOf } from '../../../../server/test/imports/map-content.ts'
import { ImportFileError } from '../files/import-file-error.ts'
import { openImportFiles } from '../files/import-files.ts'
import { IMPORT_FORMATS, recognizeFormat } from './formats.registry.ts'

const folder = mkdtempSync(join(tmpdir(), 'salus-recognition-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let number = 0
const pathOf = (content: Content | Files): string => {
  const path = join(folder, String(number++))
  const isOne = typeof content === 'string' || Buffer.isBuffer(content)
  writeFileSync(path, isOne ? content : zipOf(content))
  return path
}

/** Returns the formats that a file has by itself, and the outcome of all together. */
async function recognize(content: Content | Files): Promise<[formats: string[], outcome: string]> {
  const files = await openImportFiles(pathOf(content), { maxBytes: 2 ** 30 })
  try {
    const slugs: string[] = []
    for (const { slug, recognize: fits } of IMPORT_FORMATS) if (await fits(files)) slugs.push(slug)
    const outcome = await recognizeFormat(files).then(
      ({ slug }) => slug,
      (error: unknown) => {
        if (!(error instanceof ImportFileError)) throw error
        return `${error.code}: ${error.message}`
      },
    )
    return [slugs, outcome]
  } finally {
    await files.close()
  }
}

describe('recognition', () => {
  for (const [slug, name, content] of EXPORTS) {
    test(`of ${slug}: ${name}`, async () => {
      const [formats, outcome] = await recognize(content)
      assert.equal(outcome, slug)
      assert.deepEqual(
        formats.filter((one) => one !== 'activity_file' || slug === one),
        [slug],
      )
    })
  }

  for (const [name, content] of FOREIGN_FILES) {
    test(`refuses ${name} with a reason`, async () => {
      const [formats, outcome] = await recognize(content)
      assert.deepEqual(formats, [])
      assert.match(outcome, /^unknown_format: The file has no format that can be imported\. It is /)
    })
  }

  test('refuses a zip of two exports with the names of both', async () => {
    const zips = EXPORTS.flatMap(([slug, , content]) =>
      typeof content === 'string' || Buffer.isBuffer(content) || slug === 'activity_file'
        ? []
        : [{ slug, content }],
    )
    for (const [index, one] of zips.entries()) {
      for (const other of zips.slice(index + 1)) {
        if (other.slug === one.slug) continue
        const [, outcome] = await recognize({ ...one.content, ...other.content })
        assert.match(outcome, /^several_formats: /, `${one.slug} with ${other.slug}`)
        assert.ok(outcome.includes(`(${one.slug})`) && outcome.includes(`(${other.slug})`), outcome)
      }
    }
  })

  test('refuses a zip of two tables of other exports, and one of exports that are zips', async () => {
    const tables = { 'a.csv': LIBREVIEW, 'b.csv': CLARITY }
    assert.match((await recognize(tables))[1], /^several_formats: .*libreview.*dexcom_clarity/)
    const inner = { 'one.zip': zipOf(WHOOP_ZIP), 'two.zip': zipOf(OURA) }
    assert.match((await recognize(inner))[1], /^several_formats: .*oura.*whoop/)
  })

  test('of a zip of two exports is that of the named format', async () => {
    const { mapped } = await mapContent({ ...WHOOP_ZIP, ...OURA }, {}, { format: 'oura' })
    assert.equal(mapped.format, 'oura')
  })

  test('covers every format', () => {
    const covered = new Set(EXPORTS.map(([slug]) => slug))
    const missing = IMPORT_FORMATS.filter(({ slug }) => !covered.has(slug))
    assert.deepEqual(
      missing.map(({ slug }) => slug),
      ['csv'],
    )
  })
})
