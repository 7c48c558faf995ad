import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSeries, isSourceType } from '@salus/contracts/series'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import fc from 'fast-check'
import { NO_CONTEXT } from '../../../server/test/connectors/no-context.ts'
import { VENDOR_PAGES } from '../../../server/test/connectors/vendor-pages.registry.ts'
import { isInRange, isStorableInstant, QUARANTINE_REASONS } from '../ingest/index.ts'
import { SUMMARY_TABLES, type SummaryColumnType } from '../summaries/index.ts'
import { createConnectors } from './connectors.registry.ts'
import { PageData } from './page-data.ts'
import { VendorError } from './vendor-client.ts'

const agent = createOutboundAgent({ allowPrivate: false })
const { all } = createConnectors({ agent, sandboxAgent: agent, sandboxUrl: () => '' })

const COLLECTIONS = all.flatMap(({ slug, collections }) =>
  collections.map((collection) => {
    const pages = VENDOR_PAGES[slug]?.[collection.name]
    assert.ok(pages !== undefined)
    return { slug, collection, ...pages }
  }),
)

const TEXTS = [
  ...[
    '2026-02-10T08:00:00.001Z',
    '2026-02-10T08:00:00Z',
    '2026-02-10T09:00:00+02:00',
    '2026-02-10',
    '',
    'mg/dL',
    'rapid',
  ],
  ...['2/30/2026 1:00:00 AM', '13/1/2026 0:00:00 AM', '9999-12-31T00:00:00Z', '\ud800', '\0\t\n'],
  ...['4444', 'long_sleep', '__proto__', 'constructor', '0001-01-01T00:00:00+00:00'],
]

const { item: anything } = fc.letrec<{ item: unknown }>((tie) => ({
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1e300, -1e300, 5, 300, ...TEXTS),
    fc.string(),
    fc.double(),
    fc.array(tie('item'), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom('interval', 'items', 'timestamp', 'score', 'average'),
      tie('item'),
    ),
  ),
}))

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

/** A good record with some arbitrary fields, or any value. */
const recordOf = (records: readonly Record<string, unknown>[]) =>
  fc.oneof(
    anything,
    fc
      .constantFrom(...records)
      .chain((record) =>
        fc
          .dictionary(fc.constantFrom(...Object.keys(record)), anything, { maxKeys: 4 })
          .map((changes) => ({ ...record, ...changes })),
      ),
  )

const pageOf = fc.constantFrom(...COLLECTIONS).chain((tried) =>
  fc.record({
    tried: fc.constant(tried),
    records: fc.array(recordOf(tried.records).map(asJson), { maxLength: 4 }),
    details: fc.array(anything.map(asJson), { maxLength: 2 }),
    answer: anything.map(asJson),
  }),
)

/** Runs work that may only fail with a VendorError. @returns whether it did not */
function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    assert.ok(error instanceof VendorError, String(error))
    assert.equal(error.failure.kind, 'unexpected')
    return false
  }
}

const COLUMN_CHECKS: Record<SummaryColumnType, (value: unknown) => boolean> = {
  integer: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  text: (value) => typeof value === 'string' && value.isWellFormed(),
  long_text: (value) => typeof value === 'string' && value.isWellFormed(),
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)),
  json: (value) => typeof value === 'string',
  integers: (value) => Array.isArray(value) && value.every(Number.isSafeInteger),
}

function assertSound(data: PageData): void {
  for (const sample of data.samples) {
    const series = findSeries(sample.series)
    assert.ok(series !== undefined)
    const { startedAt, endedAt, value, sampleType, text } = sample
    assert.ok(Number.isSafeInteger(startedAt) && isStorableInstant(startedAt))
    assert.ok(Number.isSafeInteger(endedAt) && isStorableInstant(endedAt) && endedAt >= startedAt)
    assert.ok(series.valueKind === 'text' || isInRange(series, value), series.name)
    assert.ok(text.isWellFormed() && isSourceType(sample.sourceType))
    assert.ok(sampleType === '' ? !series.types?.required : series.types !== null)
  }
  for (const { resource, values, startedAt, endedAt, recordId, calendarDate } of data.summaries) {
    assert.ok(Number.isSafeInteger(startedAt) && isStorableInstant(startedAt))
    assert.ok(Number.isSafeInteger(endedAt) && endedAt >= startedAt)
    assert.ok(recordId.isWellFormed())
    assert.ok(calendarDate === null || COLUMN_CHECKS.date(calendarDate))
    const columns: Record<string, SummaryColumnType> = SUMMARY_TABLES[resource].columns
    for (const [column, value] of Object.entries(values)) {
      const type = columns[column]
      assert.ok(type !== undefined, column)
      assert.ok(value === null || COLUMN_CHECKS[type](value), `${column}: ${JSON.stringify(value)}`)
    }
  }
  for (const { reason } of data.quarantined) assert.ok(Object.hasOwn(QUARANTINE_REASONS, reason))
}

const REQUEST = {
  range: { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 2, 1) },
  cursor: null,
  context: NO_CONTEXT,
}

test('whatever a vendor sends, what it is turned into can be stored', () => {
  fc.assert(
    fc.property(pageOf, ({ tried: { slug, collection, page }, records, details, answer }) => {
      for (const sent of [page(records), answer]) {
        const data = new PageData({ userId: 'u', provider: slug })
        succeeds(() => collection.details?.(sent, REQUEST))
        succeeds(() => collection.map(sent, data, details, REQUEST))
        assertSound(data)
        assert.equal(typeof (collection.next(sent, REQUEST) ?? ''), 'string')
      }
    }),
    { seed: 12, numRuns: 3000 },
  )
})

test('a good record is stored, whatever stands beside it', () => {
  const ofLists = COLLECTIONS.filter(({ page }) => JSON.stringify(page([])) !== undefined)
  fc.assert(
    fc.property(
      fc
        .constantFrom(...ofLists)
        .chain((tried) =>
          fc.tuple(
            fc.constant(tried),
            fc.array(recordOf([{ type: 0 }]).map(asJson), { maxLength: 3 }),
          ),
        ),
      ([{ slug, collection, records, page }, others]) => {
        const alone = new PageData({ userId: 'u', provider: slug })
        collection.map(page(records), alone, [], REQUEST)
        const together = new PageData({ userId: 'u', provider: slug })
        collection.map(page([...others, ...records]), together, [], REQUEST)
        for (const sample of alone.samples) {
          assert.ok(
            together.samples.some((other) => JSON.stringify(other) === JSON.stringify(sample)),
          )
        }
        assert.ok(together.summaries.length >= alone.summaries.length)
      },
    ),
    { seed: 13, numRuns: 500 },
  )
})
