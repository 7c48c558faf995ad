import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipBrowserTests } from './browser.ts'
import { createBrowserFixture } from './browser-fixture.ts'
import { findViolations, isTooWide, startConsoleSite } from './console-site.ts'

const fixture = createBrowserFixture(startConsoleSite)

test('the start page shows what the demo team holds', { skip: skipBrowserTests }, async () => {
  const { site } = fixture
  await fixture.visit(async (page) => {
    await site.open(page, '/start')
    assert.deepEqual(await findViolations(page), [])
    assert.equal(await isTooWide(page), false)
  })
})
