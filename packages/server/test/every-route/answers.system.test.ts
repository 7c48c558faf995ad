import { after, before, describe } from 'node:test'
import { describeContract } from './contract-checks.ts'
import { describeRecords } from './record-checks.ts'
import { describeReplicaReads } from './replica-checks.ts'
import { type RouteWalk, startRouteWalk } from './route-walk.ts'
import { describeStatements, recordStatements } from './statement-checks.ts'

/** One walk of the owner: what every route answers, and what logs and metrics keep of it. */

describe('every route', () => {
  let walk: RouteWalk
  const { texts, stop } = recordStatements()
  before(async () => {
    walk = await startRouteWalk({ hasOwner: true })
  })
  after(async () => {
    stop()
    await walk?.logged.close()
    await walk?.harness.close()
  })

  describeContract(() => walk)
  describeRecords(() => walk)
  describeReplicaReads(() => walk)
  describeStatements(() => walk, texts)
})
