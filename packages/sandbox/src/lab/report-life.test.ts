import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FAILURE_TYPES, type ResultMessage, SANDBOX_ACCOUNT_ID } from '@salus/contracts/lab-gateway'
import fc from 'fast-check'
import { anyAdult, COLLECTED_AT, REPORTED_AT, reportOf } from '../../test/reports.ts'
import {
  BLOOD_COUNT,
  galleriResult,
  INFECTIONS,
  IRON,
  LIPIDS,
  METABOLIC,
  makeRequisition,
} from '../../test/requisitions.ts'
import { makeReport } from './believable-report.ts'
import { GALLERI_ORIGINS } from './report/galleri.registry.ts'

const anyPanels = fc.subarray([METABOLIC, BLOOD_COUNT, LIPIDS, IRON, INFECTIONS], { minLength: 1 })
const LATER = new Date('2026-01-09T10:00:00Z')
const valuesOf = ({ results }: ResultMessage) =>
  new Map(results.map(({ name, result }) => [name, result]))

describe('a report', () => {
  test('says whose it is, who ordered it, and where it was made', () => {
    const report = reportOf([LIPIDS])
    assert.deepEqual(report.patient, {
      first_name: 'Sam',
      last_name: 'Example',
      dob: '1985-03-01',
      gender: 'female',
      patient_id: report.patient.patient_id,
    })
    assert.match(report.patient.patient_id ?? '', /^\d{9}$/)
    assert.equal(report.account_id, SANDBOX_ACCOUNT_ID)
    assert.equal(report.sample_id, 'QU123')
    assert.equal(report.ordering_physician, 'Robin Example')
    assert.deepEqual(report.ordered_provider_ids, ['T1'])
    const [laboratory] = Object.entries(report.performing_laboratories)
    assert.equal(laboratory?.[1].name, 'Example Laboratory')
    assert.ok(report.results.every((result) => result.performing_laboratory === laboratory?.[0]))
  })

  test('has times in their order, with the offset of where the patient lives', () => {
    const { collected_at, received_at, reported_at, results } = reportOf([LIPIDS])
    assert.deepEqual(collected_at, {
      timestamp: '2026-01-05T16:00:00+00:00',
      timezone_offset: -8 * 3600,
    })
    const times = [collected_at, received_at, reported_at].map((at) => at?.timestamp ?? '')
    assert.deepEqual(times.toSorted(), times)
    assert.ok(results.every(({ timestamp }) => timestamp === reported_at?.timestamp))
  })

  test('is made for a kit without a patient, and for a test that announces no results', () => {
    const requisition = { ...makeRequisition([[]]), patient: null, address: null, physician: null }
    const report = makeReport({
      requisition: { ...requisition, sampleId: null },
      status: 'final',
      interpretation: 'normal',
      resultTypes: null,
      hasMissingResults: false,
      collectedAt: COLLECTED_AT,
      reportedAt: REPORTED_AT,
      labName: 'Example Laboratory',
    })
    assert.deepEqual(
      report.results.map(({ name }) => name),
      ['Panel 1'],
    )
    assert.match(report.sample_id ?? '', /^QU\d{14}$/)
  })

  test('has no reflex results unless the test that they belong to is abnormal', () => {
    const reflex = { ...INFECTIONS[0], name: 'Confirmation', loinc: '65633-0', required: false }
    const panel = [INFECTIONS[2], reflex] as typeof INFECTIONS
    const [, normal] = reportOf([panel]).results
    assert.deepEqual([normal?.result, normal?.flag], ['Not indicated', null])
    const [screen, done] = reportOf([panel], { interpretation: 'abnormal' }).results
    assert.deepEqual([screen?.result, done?.result, done?.flag], ['Reactive', 'Reactive', 'A'])
  })
})

describe('missing results', () => {
  test('are a third of the requested ones, at least one, and never the decisive one', () => {
    fc.assert(
      fc.property(anyPanels, anyAdult, (panels, person) => {
        const wish = { ...person, interpretation: 'abnormal', hasMissingResults: true } as const
        const { results, missing_results } = reportOf(panels, wish)
        const all = panels.flat().length
        assert.equal(missing_results.length, Math.max(1, Math.floor(all / 3)))
        assert.equal(results.length + missing_results.length, all)
        assert.match(results[0]?.flag ?? '', /^[AHL]$/)
      }),
      { numRuns: 100, seed: 61 },
    )
  })

  test('do not change the values of the others', () => {
    const whole = valuesOf(reportOf([METABOLIC], { resultTypes: ['numeric'] }))
    const { results } = reportOf([METABOLIC], { resultTypes: ['numeric'], hasMissingResults: true })
    for (const { name, result } of results) assert.equal(result, whole.get(name))
  })

  test('say why, in words that laboratories use', () => {
    for (const missingKind of FAILURE_TYPES) {
      const [missing] = reportOf([IRON], { hasMissingResults: true, missingKind }).missing_results
      assert.equal(missing?.failure_type, missingKind)
      assert.ok((missing?.note?.length ?? 0) > 10)
    }
    const [usual] = reportOf([IRON], { hasMissingResults: true }).missing_results
    assert.equal(usual?.failure_type, 'quantity_not_sufficient_failure')
  })

  test('may be all there is', () => {
    const { results, missing_results } = reportOf([IRON.slice(0, 1)], { hasMissingResults: true })
    assert.deepEqual([results.length, missing_results.length], [0, 1])
  })
})

describe('a partial report', () => {
  const partial = { status: 'partial' } as const

  test('holds some of the results, with the values that the final one will have', () => {
    fc.assert(
      fc.property(anyPanels, anyAdult, fc.boolean(), (panels, person, isBad) => {
        const wish = { ...person, interpretation: isBad ? 'abnormal' : 'normal' } as const
        const part = reportOf(panels, { ...wish, ...partial })
        const whole = valuesOf(reportOf(panels, wish))
        assert.ok(part.results.length >= 1 && part.results.length < whole.size)
        for (const { name, result } of part.results) assert.equal(result, whole.get(name))
        assert.equal(
          part.results.some(({ flag }) => flag !== 'N'),
          isBad,
        )
      }),
      { numRuns: 100, seed: 62 },
    )
  })

  test('is followed by larger ones, and results keep the time of their first report', () => {
    const first = reportOf([METABOLIC], partial)
    const second = reportOf([METABOLIC], { ...partial, previous: first, reportedAt: LATER })
    assert.ok(second.results.length > first.results.length)
    for (const result of first.results) {
      assert.deepEqual(
        second.results.find(({ name }) => name === result.name),
        result,
      )
    }
    const final = reportOf([METABOLIC], { previous: second, reportedAt: LATER })
    assert.equal(final.results.length, METABOLIC.length)
    assert.equal(final.received_at?.timestamp, first.received_at?.timestamp)
    assert.equal(new Set(final.results.map(({ timestamp }) => timestamp)).size, 2)
  })
})

describe('a corrected report', () => {
  const corrected = { status: 'corrected', reportedAt: LATER } as const
  const changesOf = (before: ResultMessage, after: ResultMessage) =>
    after.results.filter((result, index) => result.result !== before.results[index]?.result)

  test('changes one value and what is calculated from it, which mean the same, and says what it was', () => {
    fc.assert(
      fc.property(anyPanels, anyAdult, fc.boolean(), (panels, person, isBad) => {
        const wish = { ...person, interpretation: isBad ? 'abnormal' : 'normal' } as const
        const previous = reportOf(panels, wish)
        const after = reportOf(panels, { ...wish, ...corrected, previous })
        const changes = changesOf(previous, after)
        assert.ok(changes.length > 0 && changes.length <= 5)
        for (const change of changes) {
          const before = previous.results.find(({ name }) => name === change.name)
          assert.match(change.notes ?? '', /Previously reported as/)
          assert.ok(change.notes?.includes(before?.result ?? ''))
          assert.equal(change.flag, before?.flag)
          assert.equal(change.timestamp, after.reported_at?.timestamp)
        }
        const unchanged = after.results.filter((result) => !changes.includes(result))
        for (const { timestamp } of unchanged) {
          assert.equal(timestamp, previous.reported_at?.timestamp)
        }
        assert.equal(after.collected_at, previous.collected_at)
      }),
      { numRuns: 100, seed: 63 },
    )
  })

  test('is reported after what it corrects, also when both are made in one instant', () => {
    const previous = reportOf([METABOLIC])
    const after = reportOf([METABOLIC], { ...corrected, reportedAt: REPORTED_AT, previous })
    const [before = '', now = ''] = [previous, after].map((one) => one.reported_at?.timestamp)
    assert.ok(now > before)
  })

  test('can be corrected again, to something else', () => {
    const reports = [reportOf([METABOLIC])]
    for (let day = 9; day < 14; day += 1) {
      const reportedAt = new Date(Date.UTC(2026, 0, day))
      reports.push(reportOf([METABOLIC], { ...corrected, reportedAt, previous: reports.at(-1) }))
    }
    const texts = reports.map(({ results }) => results.map(({ result }) => result).join())
    assert.ok(new Set(texts).size >= 4)
  })

  test('may turn an abnormal result into a normal one', () => {
    const previous = reportOf([METABOLIC], { interpretation: 'abnormal' })
    const after = reportOf([METABOLIC], { ...corrected, previous })
    assert.deepEqual([previous.results[0]?.flag, after.results[0]?.flag], ['H', 'N'])
    assert.match(after.results[0]?.notes ?? '', /Previously reported as/)
  })

  test('keeps what was missing, and is made without a report before it', () => {
    const previous = reportOf([METABOLIC], { hasMissingResults: true })
    const after = reportOf([METABOLIC], { ...corrected, previous })
    assert.deepEqual(after.missing_results, previous.missing_results)
    const alone = reportOf([METABOLIC], corrected)
    assert.equal(alone.results.filter(({ notes }) => notes?.includes('Corrected result')).length, 1)
  })
})

describe('the cancer test', () => {
  const whole = [
    galleriResult(null, 'Galleri Cancer Signal'),
    galleriResult(1, 'Galleri Cancer Origin'),
    galleriResult(2, 'Galleri Cancer Subcategory'),
    galleriResult(3, 'Galleri Comment 1'),
  ]

  test('is one code when no signal is detected', () => {
    const { results } = reportOf([whole])
    const [signal] = results
    assert.equal(results.length, 1)
    assert.deepEqual(
      [signal?.provider_id, signal?.type, signal?.result, signal?.unit, signal?.flag],
      ['86038987', 'coded_value', 'NOT_DETECTED', null, 'N'],
    )
  })

  test('names an origin with its subcategory when one is, and all is critical', () => {
    for (let order = 0; order < 40; order += 1) {
      const wish = { orderId: `${order}`, interpretation: 'critical' } as const
      const { results } = reportOf([whole], wish)
      const [signal, origin, subcategory, comment] = results.map(({ result }) => result)
      assert.equal(signal, 'DETECTED')
      assert.ok(GALLERI_ORIGINS.some(([one, two]) => one === origin && two === subcategory))
      assert.ok((comment?.length ?? 0) > 10)
      assert.deepEqual(results.map(({ type }) => type).slice(2), ['coded_value', 'comment'])
      assert.ok(
        results.every(({ flag, reference_range }) => flag === 'AA' && reference_range === null),
      )
    }
  })

  test('brings its origin also when only the signal was announced', () => {
    const { results } = reportOf([whole.slice(0, 1)], { interpretation: 'critical' })
    assert.deepEqual(
      results.map(({ provider_id }) => provider_id),
      ['86038987', '86038987_1', '86038987_2', '86038987_3'],
    )
  })

  test('knows 23 origins, each with a subcategory of its own', () => {
    assert.equal(GALLERI_ORIGINS.length, 23)
    assert.equal(new Set(GALLERI_ORIGINS.map(([origin]) => origin)).size, 23)
    assert.equal(new Set(GALLERI_ORIGINS.map(([, subcategory]) => subcategory)).size, 23)
  })
})

test('a report of 46 results takes less than a millisecond', () => {
  const panels = [METABOLIC, BLOOD_COUNT, LIPIDS]
  const batches = Array.from({ length: 12 }, (_, batch) => {
    const before = process.threadCpuUsage()
    for (let order = 0; order < 40; order += 1) reportOf(panels, { orderId: `${batch} ${order}` })
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000 / 40
  })
  // Time of the processor, which other processes do not add to; the best, since the first ones
  // compile.
  assert.ok(Math.min(...batches) < 1, `${batches} ms`)
})
