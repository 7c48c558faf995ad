import assert from 'node:assert/strict'
import { type ConsoleFixture, findViolations, isTooWide, testPage } from './console-site.ts'

export function testStart(fixture: ConsoleFixture): void {
  testPage('the start page shows what the demo team holds', fixture, async (page, site) => {
    await site.open(page, '/start')
    assert.deepEqual(await findViolations(page), [])
    assert.equal(await isTooWide(page), false)
  })
}
