import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PartnerFaultKind } from '@salus/sandbox/partners'
import { openEmulatedPartners } from '../test/emulated-partners.ts'
import { createNppesRegistry } from './nppes-registry.ts'

const { emulator, urlOf, send } = await openEmulatedPartners()
const registry = createNppesRegistry({ url: urlOf('nppes') }, send)

test('an issued NPI has a person with specialties and their licences', async () => {
  const found = await registry.find('1234567893')
  assert.equal(found?.npi, '1234567893')
  assert.equal(found.kind, 'individual')
  assert.equal(found.isActive, true)
  assert.match(`${found.firstName} ${found.lastName}`, /^[A-Z]+ [A-Z]+$/)
  assert.equal(found.organizationName, null)
  const [taxonomy] = found.taxonomies
  assert.match(taxonomy?.code ?? '', /^20\w{7}X$/)
  assert.equal(taxonomy?.isPrimary, true)
  assert.match(`${taxonomy?.state} ${taxonomy?.license}`, /^[A-Z]{2} S\d{5}$/)
  assert.equal(emulator.calls.at(-1)?.url, '/?version=2.1&number=1234567893')
})

test('an NPI that is not issued is not found', async () => {
  assert.equal(await registry.find('1234567000'), undefined)
})

test('a deactivated NPI is not active, and one of an organization has no person', async () => {
  assert.equal((await registry.find('1234567018'))?.isActive, false)
  const organization = await registry.find('1234567026')
  assert.equal(organization?.kind, 'organization')
  assert.equal(organization.lastName, null)
  assert.match(organization.organizationName ?? '', /CLINIC$/)
})

test('what the registry calls an error is a refusal', async () => {
  const failure = { name: 'PartnerFailure', partner: 'nppes', reason: 'refused' }
  await assert.rejects(registry.find('12'), failure)
})

test('each fault of the registry is a failure with its reason', async () => {
  const reasons: Record<PartnerFaultKind, object> = {
    unauthorized: { reason: 'unauthorized' },
    rate_limit: { reason: 'rate_limited', retryAfterSeconds: 7 },
    maintenance: { reason: 'maintenance' },
    server_error: { reason: 'server_error' },
    slow: { reason: 'no_answer' },
    malformed: { reason: 'malformed' },
  }
  for (const [kind, reason] of Object.entries(reasons)) {
    const milliseconds = kind === 'slow' ? 2000 : 7000
    emulator.setFault('nppes', { kind: kind as PartnerFaultKind, times: 1, milliseconds })
    await assert.rejects(registry.find('1234567893'), { name: 'PartnerFailure', ...reason }, kind)
  }
  assert.equal((await registry.find('1234567893'))?.npi, '1234567893')
})

test('a failure names neither the address nor the number', async () => {
  emulator.setFault('nppes', { kind: 'server_error', times: 1 })
  const error = await registry.find('1234567893').catch((thrown: Error) => thrown)
  assert.doesNotMatch(`${(error as Error).stack}`, /1234567893|127\.0\.0\.1:\d/)
})
