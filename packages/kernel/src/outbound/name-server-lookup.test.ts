import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { test } from 'node:test'
import { createNameServerLookup } from './name-server-lookup.ts'

function lookUp(knowsLocalNames: boolean, name: string): Promise<LookupAddress[]> {
  const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>()
  createNameServerLookup(knowsLocalNames)(name, { all: true }, (error, addresses) => {
    if (error) reject(error)
    else resolve(addresses)
  })
  return promise
}

// Names under .invalid exist nowhere (RFC 6761), whatever the name server of the machine says.
test('a name that does not exist is an error, with and without local names', async () => {
  await assert.rejects(lookUp(false, 'unknown.invalid'))
  await assert.rejects(lookUp(true, 'unknown.invalid'))
})

test('localhost is this machine, whatever name servers say', async () => {
  for (const name of ['localhost', 'LOCALHOST', 'salus.localhost']) {
    const addresses = (await lookUp(false, name)).map(({ address }) => address)
    assert.deepEqual(addresses, ['127.0.0.1', '::1'], name)
  }
})
