import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OrderUpdate, UnreadableMessage } from '@salus/contracts/lab-gateway'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import { configOf } from '../../../test/connections.ts'
import {
  bundle,
  CONCLUSION,
  CONTAINED,
  CULTURE,
  coded,
  diagnosticReport,
  EVERY_STATUS,
  encode,
  observation,
  PDF,
  PERSON,
  quantity,
  SEVERAL_PATIENTS,
} from '../../../test/fhir-reports.ts'
import { resolveFhirConnection } from '../connection.ts'
import { readUpdates } from './read-updates.ts'

const RULES = resolveFhirConnection(configOf('fhir-r4'))
const ajv = new Ajv({ strict: false })
formats.default(ajv, ['date', 'date-time'])
const validate = ajv.compile({ type: 'array', items: OrderUpdate })

function read(content: Buffer) {
  const updates = readUpdates(RULES, content)
  assert.ok(validate(updates), JSON.stringify(validate.errors?.[0]))
  return updates.map((update) => {
    assert.equal(update.kind, 'report')
    return update as Extract<OrderUpdate, { kind: 'report' }>
  })
}
const only = (json: unknown) => {
  const [update, ...more] = read(encode(json))
  assert.ok(update !== undefined && more.length === 0)
  return update
}
const statusOf = (json: unknown) => {
  const { report } = only(json)
  return [report.status, report.tests?.['1']?.status]
}
const glucose = (more = {}) =>
  observation('o1', { code: coded('2345-7', 'Glucose'), valueQuantity: quantity(88), ...more })

describe('a report with every kind of Observation', () => {
  const { report, order, at } = only(EVERY_STATUS)

  test('names its order, its patient and its times', () => {
    assert.deepEqual(order, {
      placerNumbers: ['SA00000017'],
      fillerNumbers: ['FL26-003009'],
      labSlug: 'acme',
    })
    assert.equal(at, '2026-03-09T14:59:00.000Z')
    assert.deepEqual(report.patient, {
      first_name: 'Orla',
      last_name: 'Vance',
      dob: '1990-04-12',
      gender: 'female',
      patient_id: '884412',
    })
    assert.deepEqual(report.collected_at, {
      timestamp: '2026-03-08T15:05:00.000Z',
      timezone_offset: -25_200,
    })
    assert.equal(report.received_at?.timestamp, '2026-03-08T18:00:00.000Z')
    assert.equal(report.specimen_number, 'ACC-9')
  })

  test('has the value of each, of every type', () => {
    const values = report.results.map(({ name, type, result, unit, status }) => [
      name,
      type,
      result,
      unit,
      status,
    ])
    assert.deepEqual(values, [
      ['Glucose', 'numeric', '104', 'mg/dL', 'final'],
      ['eGFR', 'range', '>59', 'mL/min', 'corrected'],
      ['Color', 'comment', 'Yellow', null, 'final'],
      ['HBsAg', 'comment', 'Negative', null, 'preliminary'],
      ['Titer', 'comment', '1:40', null, 'final'],
      ['Cells', 'range', '2-5', null, 'final'],
      ['Count', 'numeric', '12', null, 'final'],
      ['Present', 'comment', 'true', null, 'final'],
      ['Drawn', 'comment', '2026-03-08 08:00:00-07:00', null, 'final'],
      ['Systolic', 'numeric', '120', 'mm[Hg]', 'final'],
      ['Diastolic', 'numeric', '80', 'mm[Hg]', 'final'],
    ])
  })

  test('has flags, ranges, notes and the laboratory', () => {
    const [first, second] = report.results
    assert.deepEqual(
      [first?.flag, first?.reference_range, first?.min_range_value, first?.max_range_value],
      ['H', '70-99', 70, 99],
    )
    assert.deepEqual([first?.loinc, first?.ucum], ['2345-7', 'mg/dL'])
    assert.equal(first?.performing_laboratory, '03D0000001')
    assert.equal(report.performing_laboratories['03D0000001']?.name, 'Acme Phoenix')
    assert.deepEqual(
      [second?.reference_range, second?.min_range_value, second?.notes],
      ['>=60', 60, 'First.\nSecond.'],
    )
  })

  test('has what is missing, what is withdrawn and what is awaited apart', () => {
    assert.deepEqual(
      report.missing_results.map(({ name, note, failure_type }) => [name, note, failure_type]),
      [
        ['Sodium', 'Not performed\nHemolyzed specimen.', 'unknown_failure'],
        ['Chloride', null, null],
      ],
    )
    assert.deepEqual(
      report.withdrawn?.map(({ name, reason }) => [name, reason]),
      [['Calcium', 'deleted']],
    )
    // Creatinine is awaited, so the test is not final yet.
    assert.equal(report.tests?.['1']?.status, 'preliminary')
  })

  test('has the PDF, and other documents beside it', () => {
    assert.equal(report.pdf, PDF.toString('base64'))
    assert.deepEqual(
      report.documents?.map(({ name, content_type }) => [name, content_type]),
      [['Remarks', 'text/plain']],
    )
  })
})

test('a number keeps the digits that the laboratory wrote', () => {
  const text = JSON.stringify(bundle('collection', PERSON, glucose(), diagnosticReport(['o1'])))
  const [update] = read(Buffer.from(text.replace('"value":88', '"value":88.00')))
  assert.equal(update?.report.results[0]?.result, '88.00')
})

test('two isolates with one drug have their own numbers', () => {
  const { report } = only(CULTURE)
  assert.deepEqual(
    report.results.map(({ sub_id, name, result, flag }) => [sub_id, name, result, flag]),
    [
      ['1', 'Bacteria identified', 'Escherichia coli', null],
      ['1', 'Ampicillin', '<=32', 'R'],
      ['1', 'Ciprofloxacin', '<=0.25', 'S'],
      ['2', 'Bacteria identified', 'Klebsiella oxytoca', null],
      ['2', 'Ampicillin', '<=2', 'S'],
    ],
  )
  assert.equal(report.tests?.['1']?.provider_id, '395')
})

test('references that lead in a circle end', () => {
  const member = (id: string, of: string) =>
    observation(id, { code: coded(id, id), hasMember: [{ reference: `Observation/${of}` }] })
  const { report } = only(
    bundle('collection', member('a', 'b'), member('b', 'a'), diagnosticReport(['a', 'b'])),
  )
  assert.equal(report.results.length, 0)
})

test('a report alone has its patient and its order contained', () => {
  const { report, order } = only(CONTAINED)
  assert.deepEqual(order.placerNumbers, ['SA00000017'])
  assert.equal(report.patient.last_name, 'Vance')
  assert.equal(report.ordering_physician, 'Ruth Hall')
  assert.equal(report.tests?.['1']?.provider_id, '322000')
  assert.deepEqual(
    report.results.map(({ result }) => result),
    ['88'],
  )
})

test('a conclusion without Observations is the notes of a final report', () => {
  const { report } = only(CONCLUSION)
  assert.deepEqual([report.status, report.notes], ['final', 'No malignancy seen.'])
})

test('reports of two people in one message are two updates', () => {
  const updates = read(encode(SEVERAL_PATIENTS))
  assert.deepEqual(
    updates.map(({ order, report }) => [
      order.placerNumbers ?? order.fillerNumbers,
      report.patient.last_name,
      report.results.map(({ result }) => result),
    ]),
    [
      [['SA00000017'], 'Vance', ['140']],
      [['FL-82', 'ServiceRequest/77'], 'Tarn', ['142']],
    ],
  )
})

test('the status of a report is that of its tests', () => {
  const report = (status: string, more = {}) =>
    bundle('collection', PERSON, glucose(more), diagnosticReport(['o1'], { status }))
  assert.deepEqual(statusOf(report('final')), ['final', 'final'])
  assert.deepEqual(statusOf(report('appended')), ['final', 'final'])
  assert.deepEqual(statusOf(report('partial')), ['partial', 'preliminary'])
  assert.deepEqual(statusOf(report('registered')), ['partial', 'preliminary'])
  assert.deepEqual(statusOf(report('corrected')), ['corrected', 'corrected'])
  assert.deepEqual(statusOf(report('amended', { status: 'amended' })), ['corrected', 'corrected'])
  assert.deepEqual(statusOf(report('final', { status: 'preliminary' })), ['partial', 'preliminary'])
  assert.deepEqual(statusOf(report('unheard')), ['partial', 'preliminary'])
  assert.deepEqual(statusOf(diagnosticReport([], { status: 'cancelled' })), ['final', 'cancelled'])
  const taken = only(report('entered-in-error')).report
  assert.deepEqual(
    [taken.results.length, taken.withdrawn?.map(({ name }) => name), taken.tests?.['1']?.status],
    [0, ['Glucose'], 'pending'],
  )
})

test('a final report whose results are not in the message is not final', () => {
  const json = bundle('collection', PERSON, glucose(), diagnosticReport(['o1', 'o2']))
  assert.deepEqual(statusOf(json), ['partial', 'preliminary'])
  assert.match(only(json).report.notes ?? '', /does not have/)
})

test('what is no report is unreadable, with a reason', () => {
  const reasonOf = (content: Buffer) => {
    try {
      readUpdates(RULES, content)
      return 'read'
    } catch (error) {
      if (error instanceof UnreadableMessage) return error.reason
      throw error
    }
  }
  assert.equal(reasonOf(Buffer.from('MSH|^~')), 'not_json')
  assert.equal(reasonOf(Buffer.from([0x22, 0xff, 0x22])), 'not_utf8')
  assert.equal(reasonOf(Buffer.from('[]')), 'wrong_shape')
  assert.equal(reasonOf(Buffer.from('{}')), 'wrong_shape')
  assert.equal(reasonOf(encode(PERSON)), 'wrong_message_type')
  assert.equal(reasonOf(Buffer.from('['.repeat(200_000))), 'not_json')
})

const SEED = 20_260_310
const RUNS = campaignRuns(2000, 20_000)

/** Paths of all values in JSON. */
function pathsOf(json: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof json !== 'object' || json === null) return [path]
  const below = Object.entries(json).flatMap(([key, value]) => pathsOf(value, [...path, key]))
  return [path, ...below]
}

function change(json: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const copy = Array.isArray(json) ? [...json] : { ...(json as object) }
  const holder = copy as Record<string | number, unknown>
  if (rest.length === 0 && value === undefined) delete holder[key]
  else holder[key] = change(holder[key] ?? {}, rest, value)
  return copy
}

test('a damaged message is read or unreadable, and never an unexpected error', () => {
  const bases = [EVERY_STATUS, CULTURE, CONTAINED, CONCLUSION, SEVERAL_PATIENTS]
  const foreign = fc.constantFrom<unknown>(
    ...[undefined, null, '', ' ', 'x', '__proto__', '#a', 'Observation/i1', '2026-13-45', '1e999'],
    ...[0, -1, 1e21, true, [], {}, [[]], [null], { reference: 5 }, { coding: [null, 'x'] }],
    { toString: 1, constructor: null, value: {} },
  )
  const mutation = fc.record({ at: fc.nat(10_000), value: foreign })
  let results = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...bases),
      fc.array(mutation, { minLength: 1, maxLength: 5 }),
      (base, list) => {
        const json = list.reduce<unknown>((before, { at, value }) => {
          const paths = pathsOf(before)
          return change(before, paths[at % paths.length] ?? [], value)
        }, base)
        try {
          for (const { report } of read(encode(json ?? null))) results += report.results.length
        } catch (error) {
          if (!(error instanceof UnreadableMessage)) throw error
        }
      },
    ),
    { seed: SEED, numRuns: RUNS },
  )
  assert.ok(results > RUNS, `${results} results of damaged messages`)
})
