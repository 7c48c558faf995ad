import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createHarness } from '../../../../server/test/harness.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createHarness)

test('a sandbox looks up an NPI in the emulated registry', async () => {
  const { status, body } = await fixture.call('GET', '/v3/physician/1234567893')
  assert.equal(status, 200)
  const { first_name: first, last_name: last, taxonomies, licensed_states: states, ...facts } = body
  assert.deepEqual(facts, {
    npi: '1234567893',
    kind: 'individual',
    is_active: true,
    organization_name: null,
    credential: 'M.D.',
  })
  assert.match(`${first} ${last}`, /^[A-Z]+ [A-Z]+$/)
  assert.deepEqual(states, [taxonomies[0].state])
  assert.equal(taxonomies[0].is_primary, true)
})

test('an NPI that is not issued is not found', async () => {
  const { status, body } = await fixture.call('GET', '/v3/physician/1234567000')
  assert.deepEqual([status, body.detail], [404, 'npi_not_found'])
})

test('a number with a wrong check digit is refused before the registry is called', async () => {
  for (const npi of ['1234567890', '123', 'abcdefghij', '12345678931']) {
    const { status, body } = await fixture.call('GET', `/v3/physician/${npi}`)
    assert.equal(status, 422, npi)
    assert.deepEqual([body.detail[0].loc, body.detail[0].type], [['path', 'npi'], 'npi'])
  }
})

test('production has no registry until the operator configures one', async () => {
  const { productionKey } = await fixture.makeTeam()
  const headers = { 'x-service-api-key': productionKey }
  const { status, body } = await fixture.call('GET', '/v3/physician/1234567893', undefined, headers)
  assert.deepEqual([status, body.detail.error_type], [400, 'partner_not_configured'])
})
