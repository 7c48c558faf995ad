import { createBrowserFixture } from './browser-fixture.ts'
import { startEmptySite } from './console/console-site.ts'
import { testImports } from './console/imports.cases.ts'

testImports(createBrowserFixture(startEmptySite))
