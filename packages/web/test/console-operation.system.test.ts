import { createBrowserFixture } from './browser-fixture.ts'
import { startConsoleSite } from './console/console-site.ts'
import { testOperation } from './console/operation.cases.ts'
import { testQueries } from './console/queries.cases.ts'
import { testRights } from './console/rights.cases.ts'
import { testRules } from './console/rules.cases.ts'
import { testFirstRun } from './console/start.cases.ts'
import { testWebhooks } from './console/webhooks.cases.ts'

// The console is tested in three files, each with a server and a demo team, so that they run side
// by side.
const fixture = createBrowserFixture(startConsoleSite)

testWebhooks(fixture)
testQueries(fixture)
testRules(fixture)
testOperation(fixture)
testRights(fixture)
// It removes the demo team.
testFirstRun(fixture)
