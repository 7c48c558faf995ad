import { testConnections } from './connections.cases.ts'
import type { ConsoleFixture } from './console-site.ts'
import { testLaboratories } from './laboratories.cases.ts'
import { testOperation } from './operation.cases.ts'
import { testOverview } from './overview.cases.ts'
import { testPeople } from './people.cases.ts'
import { testPersonLaboratory } from './person-laboratory.cases.ts'
import { testQueries } from './queries.cases.ts'
import { testReview } from './review.cases.ts'
import { testRights } from './rights.cases.ts'
import { testSession } from './session.cases.ts'
import { testFirstRun, testStart } from './start.cases.ts'
import { testTasks } from './tasks.cases.ts'
import { testTimeline } from './timeline.cases.ts'
import { testWebhooks } from './webhooks.cases.ts'

/** Tests of the console, on one site: to fill another demo team takes longer than most of them. */
export function testConsole(fixture: ConsoleFixture): void {
  testStart(fixture)
  testOverview(fixture)
  testSession(fixture)
  testPeople(fixture)
  testTimeline(fixture)
  testPersonLaboratory(fixture)
  testLaboratories(fixture)
  testReview(fixture)
  testTasks(fixture)
  testConnections(fixture)
  testWebhooks(fixture)
  testQueries(fixture)
  testOperation(fixture)
  testRights(fixture)
  // It removes the demo team.
  testFirstRun(fixture)
}
