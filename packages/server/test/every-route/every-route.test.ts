import { after, before, describe } from 'node:test'
import { describeApps } from './app-checks.ts'
import { describeContract } from './contract-checks.ts'
import { describeCredentials } from './credential-checks.ts'
import { describeIsolation } from './isolation-checks.ts'
import { describeLimits } from './limit-checks.ts'
import { describeRecords } from './record-checks.ts'
import { type RouteWalk, startRouteWalk } from './route-walk.ts'

/** One walk: what others get, that nothing of it changed anything, what the owner gets, and what is kept of it. */

describe('every route', () => {
  let walk: RouteWalk
  before(async () => {
    walk = await startRouteWalk()
  })
  after(async () => {
    await walk?.logged.close()
    await walk?.harness.close()
  })

  describeIsolation(() => walk)
  describeContract(() => walk)
  describeRecords(() => walk)
  describeCredentials(() => walk)
  describeApps(() => walk)
  describeLimits(() => walk)
})
