import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { resolveFhirConnection } from '../../../lab-gateways/src/fhir/connection.ts'
import { writeFhirOrder } from '../../../lab-gateways/src/fhir/orders/write-order.ts'
import {
  coded,
  diagnosticReport,
  observation,
  quantity,
} from '../../../lab-gateways/test/fhir-reports.ts'
import { type FhirServer, startFhirServer } from '../../../lab-gateways/test/fhir-server.ts'
import { NUMBERS, REQUISITION } from '../../../lab-gateways/test/requisitions.ts'
import { findProblems } from '../fhir/validate-resource.ts'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

let wired: WiredLaboratory
let server: FhirServer
before(async () => {
  wired = await createWiredLaboratory()
  server = await startFhirServer()
  await wired.connect({
    profile: 'fhir-r4',
    orders: { kind: 'fhir', base: server.base },
    results: { kind: 'fhir-poll', base: server.base, every_seconds: 5 },
  })
})
after(async () => {
  await wired?.close()
  await server?.close()
})

/** Types that can be validated here and that the order has. */
const VALIDATED = ['Patient', 'Practitioner', 'ServiceRequest']

const storedOf = (type: string) =>
  [...server.stored].filter(([path]) => path.startsWith(`${type}/`))

/** Stores a report of every ordered test on the server, as the laboratory writes it. */
function report(value: number, version: string, more = {}): void {
  const subject = { reference: storedOf('Patient')[0]?.[0] }
  for (const [index, [path, request]] of storedOf('ServiceRequest').entries()) {
    const { coding } = request.code as { coding: { system: string; code: string }[] }
    const { system = '', code = '' } = coding[0] ?? {}
    const status = (more as { status?: string }).status ?? 'final'
    server.stored.set(
      `Observation/o${index}`,
      observation(`o${index}`, {
        code: coded(`X${code}`, 'First', 'urn:lab:results'),
        status,
        subject,
        valueQuantity: quantity(value),
        interpretation: [{ coding: [{ code: 'H' }] }],
        referenceRange: [{ low: { value: 70 }, high: { value: 99 } }],
      }),
    )
    server.stored.set(
      `DiagnosticReport/r${index}`,
      diagnosticReport([`o${index}`], {
        id: `r${index}`,
        meta: { versionId: version, lastUpdated: `2026-03-01T11:0${version}:00.000Z` },
        identifier: [],
        basedOn: [{ reference: path }],
        effectiveDateTime: '2026-03-01T08:00:00Z',
        issued: `2026-03-01T11:0${version}:00Z`,
        code: coded(code, 'Test', system),
        subject,
        ...more,
      }),
    )
  }
}

describe('an order to a FHIR server', () => {
  test('is accepted, completed by polled reports, and corrected by their next version', async () => {
    const { harness } = wired
    const placed = await wired.place()
    await wired.waitForStatus(placed.id, 'received.walk_in_test.requisition_created')
    const requests = storedOf('ServiceRequest')
    assert.ok(requests.length > 0)
    assert.equal(storedOf('Patient')[0]?.[1].birthDate, '1990-04-12')
    const written = VALIDATED.flatMap((type) => storedOf(type).map(([, resource]) => resource))
    assert.deepEqual(written.flatMap(findProblems), [])
    const valuesOf = async () => {
      const { body } = await harness.call('GET', `/v3/order/${placed.id}/result`)
      return body.results.map(({ result, unit, interpretation, status }: Record<string, string>) =>
        [result, unit, interpretation, status].join(' '),
      )
    }
    report(101, '1')
    await wired.waitForStatus(placed.id, 'completed.walk_in_test.completed')
    assert.deepEqual(
      await valuesOf(),
      requests.map(() => '101 mg/dL abnormal final'),
    )
    report(102, '2', { status: 'corrected' })
    const corrected = requests.map(() => '102 mg/dL abnormal corrected')
    const until = performance.now() + 60_000
    while (String(await valuesOf()) !== String(corrected)) {
      assert.ok(performance.now() < until, String(await valuesOf()))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })
})

test('the resources of an order and of its cancellation are valid in both shapes', () => {
  const config = { connection: 'a1', lab: 'acme', profile: 'fhir-r4', time_zone: 'UTC' } as const
  const rules = resolveFhirConnection(config)
  const types = [...VALIDATED, 'Coverage', 'Specimen']
  for (const shape of ['transaction', 'request_group'] as const) {
    for (const status of ['active', 'revoked'] as const) {
      const about = { requisition: REQUISITION, numbers: NUMBERS, rules, shape, status }
      const { contained, entry } = JSON.parse(writeFhirOrder(about).toString('utf8'))
      const all = contained ?? entry.map(({ resource }: { resource: object }) => resource)
      const known = all.filter((each: { resourceType: string }) =>
        types.includes(each.resourceType),
      )
      assert.equal(known.length, 6)
      assert.deepEqual(known.flatMap(findProblems), [])
    }
  }
})
