import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REPLICA_READS } from '../../src/replica-reads.registry.ts'
import { ROUTE_CASES } from '../route-cases.ts'
import { nameOf, type RouteWalk } from './route-walk.ts'

export function describeReplicaReads(walk: () => RouteWalk): void {
  test('operations that may read from replicas do so, and write nothing there', async () => {
    const { harness, send, replicaStatements } = walk()
    const { paths } = (await harness.call('GET', '/openapi.json')).body
    const unread: string[] = []
    const seen = new Set<string>()
    for (const entry of ROUTE_CASES) {
      const id = paths[entry.path]?.[entry.method.toLowerCase()]?.operationId
      if (!(id in REPLICA_READS)) continue
      seen.add(id)
      const before = replicaStatements()
      const { answer } = await send(entry)
      // Some are about what the walk has used up.
      assert.ok(answer.status < 500, `${nameOf(entry)}: ${answer.text}`)
      if (replicaStatements() === before) unread.push(id)
    }
    assert.deepEqual(unread, [])
    const missing = Object.keys(REPLICA_READS).filter((id) => !seen.has(id))
    assert.deepEqual(missing, [], 'without a case')
  })
}
