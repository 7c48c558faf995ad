import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapContent } from '../../../../server/test/imports/map-content.ts'
import { ImportFileError } from '../files/import-file-error.ts'
import { IMPORT_FORMATS } from './formats.registry.ts'

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => assert.fail('it was read'),
    (error: unknown) => (error instanceof ImportFileError ? error.message : String(error)),
  )

test('a file of no format is refused with what it looks like', async () => {
  const cases: [content: Parameters<typeof mapContent>[0], hint: RegExp][] = [
    ['%PDF-1.7', /PDF document\. Lab reports/],
    [Buffer.from('\x89PNG\r\n', 'latin1'), /image/],
    ['Rar!\x1a', /not a zip/],
    ['<!doctype html><p>Sign in', /web page/],
    [`SQLite format 3\0${'\0'.repeat(90)}`, /database of an app/],
    ['<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3">', /CDA/],
    ['{"resourceType":"Patient"}', /JSON with other fields/],
    ['first name;last name\nAnna;B\n', /table with other columns/],
    [{ 'holiday.txt': 'x' }, /zip file without files that are known/],
    [{ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<x/>' }, /Save it as CSV/],
    ['', /file is empty/],
  ]
  for (const [content, hint] of cases) {
    const message = await messageOf(mapContent(content))
    assert.match(message, hint)
    assert.doesNotMatch(message, /Anna|holiday/)
  }
})

test('a named format that does not fit is refused with the one that does', async () => {
  const other = IMPORT_FORMATS.find(({ refusesOthers }) => !refusesOthers)
  assert.ok(other)
  const export_ = '<?xml version="1.0"?><HealthData locale="en_US"></HealthData>'
  assert.match(
    await messageOf(mapContent(export_, {}, { format: other.slug })),
    /It is: Export of Apple Health \(apple_health\)/,
  )
})

test('slugs are unique, and options and texts are there', () => {
  const slugs = IMPORT_FORMATS.map(({ slug }) => slug)
  assert.equal(new Set(slugs).size, slugs.length)
  for (const { slug, title, howToExport } of IMPORT_FORMATS) {
    assert.match(slug, /^[a-z0-9_]+$/)
    assert.ok(title.length > 3 && howToExport.length > 20, slug)
  }
})

test('JSON of Health Auto Export is known as such, though its workouts have fields of Polar', async () => {
  const workout = { start: '2025-05-01 07:00:00 +0200', end: '2025-05-01 08:00:00 +0200' }
  const steps = { stepCount: [{ date: workout.start, qty: 90, units: 'count' }] }
  const content = JSON.stringify({
    data: { workouts: [{ name: 'Running', ...workout, ...steps }] },
  })
  const { mapped } = await mapContent(content)
  assert.equal(mapped.format, 'health_auto_export')
  const zipped = await mapContent({ 'Export/HealthAutoExport-2025-05.json': content })
  assert.equal(zipped.mapped.format, 'health_auto_export')
})
