import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Connector } from './connector.ts'
import { regionHosts, regionNames } from './regions.ts'

const authOf = (kind: string, regions?: object) => ({ kind, regions }) as Connector['auth']

test('regions have names, and hosts where those are known before the sign-in', () => {
  const hosts = { us: {}, ous: { api: 'https://ous.vendor.example' } }
  for (const kind of ['password', 'oauth']) {
    assert.deepEqual(regionNames(authOf(kind, hosts)), ['us', 'ous'])
    assert.deepEqual(regionHosts(authOf(kind, hosts), 'ous'), hosts.ous)
    assert.equal(regionHosts(authOf(kind, hosts), 'constructor'), undefined)
    assert.deepEqual(regionNames(authOf(kind)), [])
    assert.equal(regionHosts(authOf(kind), 'us'), undefined)
  }
  const listed = authOf('password', ['us', 'eu'])
  assert.deepEqual(regionNames(listed), ['us', 'eu'])
  assert.equal(regionHosts(listed, 'us'), undefined)
  assert.deepEqual(regionNames(authOf('email', { us: {}, eu: {} })), [])
})
