import { createBrowserFixture } from './browser-fixture.ts'
import { startConsoleSite } from './console/console-site.ts'
import { testStart } from './console/start.cases.ts'
import { testTimeline } from './console/timeline.cases.ts'

// One server and one demo team for all: to fill another for every area would take minutes.
const fixture = createBrowserFixture(startConsoleSite)

testStart(fixture)
testTimeline(fixture)
