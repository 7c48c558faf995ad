import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeAppleHealthExport } from '../../../../../server/bench/apple-health-export.ts'
import {
  collectFromText,
  collectHealthData,
} from '../../../../../server/test/imports/collect-health-data.ts'
import { collectWithSaxes } from '../../../../../server/test/imports/collect-with-saxes.ts'
import { openExportXml } from './export-file.ts'

const FIXTURES = join(import.meta.dirname, 'fixtures')
const ATTRIBUTES = 'type unit value sourceName sourceVersion device creationDate startDate endDate'

const character = fc.oneof(
  fc.constantFrom('&amp;', '&lt;', '&gt;', '&quot;', '&apos;', '&#233;', '&#x1F600;', '>', '/>'),
  fc.constantFrom('é', '’', '\u00a0', '导', '😀', ' ', '\n', '\r\n', '=', 'a', '0', ']]>', '-->'),
)
const value = fc.oneof(
  fc.constantFrom('HKQuantityTypeIdentifierHeartRate', 'count/min', '&lt;&lt;HKDevice: 0x1&gt;'),
  fc.array(character, { maxLength: 8 }).map((parts) => parts.join('')),
)
const attribute = (name: string) =>
  fc
    .tuple(value, fc.constantFrom('"', "'"), fc.constantFrom(' ', '\n  '))
    .map(([text, quote, space]) => `${space}${name}=${quote}${text}${quote}`)
const attributes = fc
  .shuffledSubarray([...ATTRIBUTES.split(' '), 'other', 'key', 'é'])
  .chain((names) => fc.tuple(...names.map(attribute)))
  .map((parts) => parts.join(''))
const metadata = fc
  .tuple(attribute('key'), attribute('value'))
  .map((parts) => `<MetadataEntry${parts.join('')}/>`)
const noise = fc.constantFrom(
  '\n ',
  '<!-- <Record value="no"> > -->',
  '<![CDATA[<Record/>]]>',
  '<?x <a> ?>',
  'téxt &amp;',
  '<List><Beat bpm="1"/><MetadataEntry key="deep" value="no"/></List>',
)

function element(name: string, content: fc.Arbitrary<string>) {
  return fc
    .tuple(attributes, fc.array(content, { maxLength: 3 }))
    .map(([own, children]) =>
      children.length === 0
        ? `<${name}${own} />`
        : `<${name}${own}>${children.join('')}</${name} >`,
    )
}

const record = element('Record', fc.oneof(metadata, noise))
const statistics = element('WorkoutStatistics', noise)
const event = element('WorkoutEvent', metadata)
const reference = attribute('path').map((path) => `<FileReference${path}/>`)
const route = element('WorkoutRoute', fc.oneof(reference, metadata, event, noise))
const activity = element('WorkoutActivity', fc.oneof(reference, event, statistics))
const item = fc.oneof(
  { weight: 5, arbitrary: record },
  { weight: 2, arbitrary: element('Correlation', fc.oneof(record, metadata, noise)) },
  element('Workout', fc.oneof(statistics, event, route, activity, metadata, noise)),
  element('ActivitySummary', noise),
  element('Überraschung', record),
  noise,
)
const PROLOG = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [ <!-- it's > ]> --> <!ATTLIST Record a CDATA #IMPLIED> ]>\n`
const document = fc
  .tuple(fc.constantFrom('', '\ufeff', PROLOG, `\ufeff${PROLOG}`), fc.array(item, { maxLength: 8 }))
  .map(([prolog, items]) => `${prolog}<HealthData locale="de_DE">${items.join('')}</HealthData>\n`)

function cut(bytes: Buffer, sizes: number[]): Buffer[] {
  const chunks: Buffer[] = []
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(bytes.subarray(from, from + size))
    from += size
  }
  return chunks
}

const chunkSizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 })

test('generated documents give the same as a general XML parser', () => {
  fc.assert(
    fc.property(document, (xml) => {
      const { error, ...found } = collectFromText(xml)
      assert.equal(error, undefined)
      assert.deepEqual(found, collectWithSaxes(xml))
    }),
    { numRuns: 500 },
  )
})

test('any chunking gives the same as the whole, also where the document is broken', () => {
  const anywhere = fc.double({ min: 0, max: 1, noNaN: true })
  const damage = fc.constantFrom('none', 'cut off', '<', '>', '"', '&', 'x')
  fc.assert(
    fc.property(document, chunkSizes, anywhere, damage, (xml, sizes, where, kind) => {
      const whole = Buffer.from(xml)
      const at = Math.floor(where * (whole.length - 1))
      if (kind.length === 1) whole.write(kind, at)
      const bytes = kind === 'cut off' ? whole.subarray(0, at) : whole
      const expected = collectHealthData([bytes])
      assert.deepEqual(collectHealthData(cut(bytes, sizes)), expected)
      assert.deepEqual(collectHealthData(cut(bytes, [1])), expected)
    }),
    { numRuns: 300 },
  )
})

test('the samples give the same as a general XML parser, in large and small chunks', async () => {
  for (const name of [
    'synthetic-30d-export.zip',
    'health-export-cli-export.zip',
    'healthkit-small-export.xml',
    'iphone6s-export-sample.xml',
  ]) {
    const xml = await text((await openExportXml(join(FIXTURES, name))).stream)
    const { error, ...found } = collectHealthData(cut(Buffer.from(xml), [65_536, 7, 1, 333]))
    assert.equal(error, undefined)
    assert.deepEqual(found, collectWithSaxes(xml))
  }
  const bytes = readFileSync(join(FIXTURES, 'iphone6s-export-sample.xml'))
  assert.deepEqual(collectHealthData(cut(bytes, [1])), collectHealthData([bytes]))
})

test('the benchmark file has the counts it claims and reads as with a general parser', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apple-health-'))
  try {
    const path = join(folder, 'export.xml')
    const counts = await writeAppleHealthExport(path, { bytes: 3e6, seed: 7 })
    const xml = await readFile(path, 'utf8')
    const { error, ...found } = collectFromText(xml)
    assert.equal(error, undefined)
    assert.deepEqual(found, collectWithSaxes(xml))
    const seen: Record<string, number> = {}
    const names = [
      ...found.records.map(({ type }) => type),
      ...found.correlations.map(({ type }) => type),
      ...found.workouts.map(() => 'Workout'),
      ...found.others.map(([name]) => name).filter((name) => name === 'ActivitySummary'),
    ]
    for (const name of names) seen[name] = (seen[name] ?? 0) + 1
    assert.deepEqual(seen, counts)
  } finally {
    await rm(folder, { recursive: true })
  }
})
