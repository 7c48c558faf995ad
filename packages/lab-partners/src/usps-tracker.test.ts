import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { Secret } from '@salus/kernel/crypto/credential-store'
import type { PartnerFaultKind } from '@salus/sandbox/partners'
import { openEmulatedPartners } from '../test/emulated-partners.ts'
import { createUspsTracker } from './usps-tracker.ts'

const { emulator, clock, urlOf, send } = await openEmulatedPartners()
const open = (clientSecret = 'sandbox-secret') =>
  createUspsTracker(
    {
      clientId: 'sandbox',
      clientSecret: new Secret(clientSecret),
      url: urlOf('usps'),
      requestsPerHour: 60,
    },
    send,
    { clock },
  )
const tracker = open()
const DELIVERED = '9400100000000000000000'
const HOUR = 3600

const follow = async (number: string, ...hours: number[]) => {
  const scans: unknown[] = []
  for (const wait of [0, ...hours]) {
    clock.advance(wait * HOUR)
    scans.push(tracker.read(await tracker.lookUp(number))?.scan)
  }
  return scans
}

beforeEach(() => {
  emulator.calls.length = 0
  emulator.setFault('usps', null)
})

test('a parcel has no scan before it is in the mail, and then one for each step', async () => {
  const scans = await follow(DELIVERED, 6, 42, 6)
  assert.deepEqual(scans, [null, 'in_transit', 'out_for_delivery', 'delivered'])
  const parcel = tracker.read(await tracker.lookUp(DELIVERED))
  assert.equal(parcel?.at?.getTime(), clock.now().getTime())
})

test('a notice is an exception, and an alert about the address sends the parcel back', async () => {
  assert.deepEqual(await follow('9400100000000000000008', 30), [null, 'exception'])
  assert.deepEqual(await follow('9400100000000000000007', 30), [null, 'not_deliverable'])
})

test('a number that the courier does not know yet is no failure', async () => {
  assert.equal(await tracker.lookUp('9400100000000000000009'), undefined)
})

test('a request has the documented address, and a number cannot leave its path', async () => {
  await tracker.lookUp(DELIVERED)
  assert.equal(emulator.calls.at(-1)?.url, `/tracking/v3/tracking/${DELIVERED}?expand=DETAIL`)
  await tracker.lookUp('../x?y=9/9')
  assert.match(
    emulator.calls.at(-1)?.url ?? '',
    /^\/tracking\/v3\/tracking\/\.\.%2Fx%3Fy%3D9%2F9\?/,
  )
})

test('one token serves for hours, and a new one follows when it expires', async () => {
  const tokens = () => emulator.calls.filter(({ url }) => url.endsWith('/token')).length
  const own = open()
  await own.lookUp(DELIVERED)
  await own.lookUp(DELIVERED)
  assert.equal(tokens(), 1)
  clock.advance(8 * HOUR)
  await own.lookUp(DELIVERED)
  assert.equal(tokens(), 2)
})

test('each fault of the courier is a failure with its reason', async () => {
  const reasons: Record<PartnerFaultKind, object> = {
    unauthorized: { reason: 'unauthorized' },
    rate_limit: { reason: 'rate_limited', retryAfterSeconds: 2 },
    maintenance: { reason: 'maintenance' },
    server_error: { reason: 'server_error' },
    slow: { reason: 'no_answer' },
    malformed: { reason: 'malformed' },
  }
  for (const [kind, reason] of Object.entries(reasons)) {
    emulator.setFault('usps', { kind: kind as PartnerFaultKind, milliseconds: 2000 })
    const failure = { name: 'PartnerFailure', partner: 'usps', ...reason }
    await assert.rejects(tracker.lookUp(DELIVERED), failure, kind)
  }
  emulator.setFault('usps', { kind: 'server_error', on: 'token' })
  await assert.rejects(open().lookUp(DELIVERED), { reason: 'server_error' })
})

test('a wrong secret is reported as such', async () => {
  await assert.rejects(open('another').lookUp(DELIVERED), { reason: 'unauthorized' })
})

test('answers of other shapes are not read, unknown categories are no scan, local times no time', () => {
  for (const answer of [null, [], 'x', {}, { statusCategory: 7 }]) {
    const isNumber =
      typeof (answer as { statusCategory?: unknown } | null)?.statusCategory === 'number'
    assert.deepEqual(tracker.read(answer), isNumber ? { scan: null, at: null } : undefined)
  }
  const parcel = {
    statusCategory: 'In-Transit',
    trackingEvents: [{ eventTimestamp: '2026-03-02T10:00:00' }],
  }
  assert.deepEqual(tracker.read(parcel), { scan: 'in_transit', at: null })
  assert.deepEqual(tracker.read({ statusCategory: 'Constructor' }), { scan: null, at: null })
})
