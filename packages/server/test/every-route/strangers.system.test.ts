import { after, before, describe } from 'node:test'
import { describeApps } from './app-checks.ts'
import { describeCredentials } from './credential-checks.ts'
import { describeIsolation } from './isolation-checks.ts'
import { describeLimits } from './limit-checks.ts'
import { describePermissions } from './permission-checks.ts'
import { type RouteWalk, startRouteWalk } from './route-walk.ts'

/**
 * One walk of others: what they get of every route, that nothing of it changed anything, and what
 * each kind of credential opens. That the owner's requests succeed, answers.system.test.ts shows
 * with the same cases.
 */

describe('every route, for others', () => {
  let walk: RouteWalk
  before(async () => {
    walk = await startRouteWalk({ hasOwner: false })
  })
  after(async () => {
    await walk?.logged.close()
    await walk?.harness.close()
  })

  describeIsolation(() => walk)
  describeCredentials(() => walk)
  describeApps(() => walk)
  describeLimits(() => walk)
  describePermissions(() => walk)
})
