import { createBrowserFixture } from './browser-fixture.ts'
import { testConnections } from './console/connections.cases.ts'
import { startConsoleSite } from './console/console-site.ts'
import { testLaboratories } from './console/laboratories.cases.ts'
import { testReview } from './console/review.cases.ts'
import { testTasks } from './console/tasks.cases.ts'

// The console is tested in three files, each with a server and a demo team, so that they run side
// by side.
const fixture = createBrowserFixture(startConsoleSite)

testLaboratories(fixture)
testReview(fixture)
testTasks(fixture)
testConnections(fixture)
