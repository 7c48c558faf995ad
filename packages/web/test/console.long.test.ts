import { createBrowserFixture } from './browser-fixture.ts'
import { testConnections } from './console/connections.cases.ts'
import { startConsoleSite } from './console/console-site.ts'
import { testLaboratories } from './console/laboratories.cases.ts'
import { testOperation } from './console/operation.cases.ts'
import { testPeople } from './console/people.cases.ts'
import { testPersonLaboratory } from './console/person-laboratory.cases.ts'
import { testQueries } from './console/queries.cases.ts'
import { testReview } from './console/review.cases.ts'
import { testRights } from './console/rights.cases.ts'
import { testRules } from './console/rules.cases.ts'
import { testSession } from './console/session.cases.ts'
import { testFirstRun, testStart } from './console/start.cases.ts'
import { testTasks } from './console/tasks.cases.ts'
import { testTimeline } from './console/timeline.cases.ts'
import { testWebhooks } from './console/webhooks.cases.ts'

// Those tests of the console that are campaigns, on one server; the others are in
// console-*.system.test.ts.
const fixture = createBrowserFixture(startConsoleSite)

testStart(fixture)
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
testRules(fixture)
testOperation(fixture)
testRights(fixture)
// It removes the demo team.
testFirstRun(fixture)
