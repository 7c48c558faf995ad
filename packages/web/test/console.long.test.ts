import { createBrowserFixture } from './browser-fixture.ts'
import { testConsole } from './console/console.cases.ts'
import { startConsoleSite } from './console/console-site.ts'

// Those tests of the console that are campaigns; the others are in console.system.test.ts.
testConsole(createBrowserFixture(startConsoleSite))
