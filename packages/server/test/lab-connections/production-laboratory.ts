import assert from 'node:assert/strict'
import { type Loose, makeCatalog } from '../catalog/small-catalog.ts'
import type { Harness } from '../harness.ts'
import { PATIENT_ADDRESS } from '../orders/order-bodies.ts'
import type { WiredEnvironment } from './wired-laboratory.ts'

/** Orders of production are for people in a state where the account of the catalog is billed. */
export const IN_NORTH_DAKOTA = { patient_address: { ...PATIENT_ADDRESS, state: 'ND' } }

/** The catalog of an operator: a panel of chemistry with a reflex, and a culture. */
function catalogOfTests(): Loose {
  const catalog = makeCatalog()
  catalog.loincs.push(
    { code: '2345-7', name: 'Glucose [Mass/volume] in Serum or Plasma' },
    { code: '630-4', name: 'Bacteria identified in Urine by Culture' },
  )
  const { north } = catalog.orderables
  const urine = { sample_type: 'urine', price_cents: 2000, results: ['630-4'] }
  north.tests.push(
    {
      name: 'Glucose',
      provider_id: '200',
      sample_type: 'serum',
      price_cents: 500,
      results: ['2345-7'],
    },
    { name: 'Urine culture', provider_id: '395', ...urine },
  )
  return catalog
}

/** A team's production with the catalog of its operator, and a lab test of three of its tests. */
export async function productionOfOperator(harness: Harness): Promise<WiredEnvironment> {
  const { id: teamId, productionKey: key } = await harness.makeTeam()
  const settings = { lab_test_auto_approve: true, partial_webhooks_enabled: true }
  const patched = await harness.manage('PATCH', `/team/${teamId}`, { production: settings })
  assert.equal(patched.status, 200, patched.text)
  const operator = { 'x-management-key': harness.managementKey }
  const loaded = await harness.call('PUT', '/v1/catalog', catalogOfTests(), operator)
  assert.equal(loaded.status, 200, loaded.text)
  const call = (method: string, url: string, body?: object) =>
    harness.call(method, url, body, { 'x-service-api-key': key })
  const { body } = await call('GET', '/v3/lab_tests/markers?size=100')
  const wanted = ['100', '200', '395']
  const marker_ids = body.markers
    .filter(({ provider_id: code }: { provider_id: string }) => wanted.includes(code))
    .map(({ id }: { id: number }) => id)
  assert.equal(marker_ids.length, wanted.length)
  const about = { name: 'Thyroid and culture', description: 'Three tests', method: 'walk_in_test' }
  const made = await call('POST', '/v3/lab_tests', { ...about, marker_ids })
  assert.equal(made.status, 200, made.text)
  return { key, lab: 'north', teamId, kind: 'production', labTestId: made.body.id }
}
