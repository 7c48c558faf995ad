import { createBrowserFixture } from './browser-fixture.ts'
import { startConsoleSite } from './console/console-site.ts'
import { testOperation } from './console/operation.cases.ts'
import { testStart } from './console/start.cases.ts'
import { testWebhooks } from './console/webhooks.cases.ts'

// One server and one demo team for all: to fill another for every area would take minutes.
const fixture = createBrowserFixture(startConsoleSite)

testStart(fixture)
testWebhooks(fixture)
testOperation(fixture)
