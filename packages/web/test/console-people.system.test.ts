import { createBrowserFixture } from './browser-fixture.ts'
import { testClicks } from './console/clicks.cases.ts'
import { startConsoleSite } from './console/console-site.ts'
import { testOverview } from './console/overview.cases.ts'
import { testPeople } from './console/people.cases.ts'
import { testPersonLaboratory } from './console/person-laboratory.cases.ts'
import { testSession } from './console/session.cases.ts'
import { testStart } from './console/start.cases.ts'
import { testTimeline } from './console/timeline.cases.ts'
import { testUsers } from './console/users.cases.ts'

// The console is tested in four files, each with a server and a demo team, so that they run side
// by side.
const fixture = createBrowserFixture(startConsoleSite)

testStart(fixture)
testOverview(fixture)
testSession(fixture)
testPeople(fixture)
testClicks(fixture)
testTimeline(fixture)
testPersonLaboratory(fixture)
// Last: where there are users, the sign-in page begins with their form.
testUsers(fixture)
