import { after, before, describe } from 'node:test'
import { describeContract } from './contract-checks.ts'
import { describeRecords } from './record-checks.ts'
import { type RouteWalk, startRouteWalk } from './route-walk.ts'

/** One walk of the owner: what every route answers, and what logs and metrics keep of it. */

describe('every route', () => {
  let walk: RouteWalk
  before(async () => {
    walk = await startRouteWalk({ hasOwner: true })
  })
  after(async () => {
    await walk?.logged.close()
    await walk?.harness.close()
  })

  describeContract(() => walk)
  describeRecords(() => walk)
})
