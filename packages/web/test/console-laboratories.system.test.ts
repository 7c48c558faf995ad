import { createBrowserFixture } from './browser-fixture.ts'
import { testConnections } from './console/connections.cases.ts'
import { startConsoleSite } from './console/console-site.ts'
import { testCriticalResults } from './console/critical-results.cases.ts'
import { testLaboratories } from './console/laboratories.cases.ts'
import { testReview } from './console/review.cases.ts'

// The console is tested in three files, each with a server and a demo team, so that they run side
// by side.
const fixture = createBrowserFixture(startConsoleSite)

testLaboratories(fixture)
testReview(fixture)
testCriticalResults(fixture)
testConnections(fixture)
