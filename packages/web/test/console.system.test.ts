import { createBrowserFixture } from './browser-fixture.ts'
import { testConsole } from './console/console.cases.ts'
import { startConsoleSite } from './console/console-site.ts'

testConsole(createBrowserFixture(startConsoleSite))
