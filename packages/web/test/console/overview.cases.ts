import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, type ConsoleSite, testPage } from './console-site.ts'

export function testOverview(fixture: ConsoleFixture): void {
  testPage('the first page shows what waits, and each number leads to its list', fixture, look)
  testPage('a person is found by keyboard alone, and only ids are remembered', fixture, find)
}

async function look(page: Page, site: ConsoleSite): Promise<void> {
  await site.open(page, '/')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  // It is that of the first team; the demo team has something that waits.
  await site.open(page, 'overview')
  await page.getByRole('img', { name: /^People with data by day/ }).waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('link', { name: '1 connection of a person does not work' }).click()
  await page.getByRole('link', { name: 'Sam Rivera' }).waitFor()
  assert.match(page.url(), /\/people\?state=error$/)
}

async function find(page: Page, site: ConsoleSite): Promise<void> {
  await site.open(page, 'overview')
  await page.keyboard.press('?')
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  const field = page.getByRole('combobox', { name: /^Search/ })
  await field.waitFor()
  await page.keyboard.type('rivera')
  const person = page.getByRole('group', { name: 'People' }).getByRole('option')
  await person.waitFor()
  assert.deepEqual(await findViolations(page), [])
  assert.equal(await person.getAttribute('aria-selected'), 'true')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Sam Rivera' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Sam Rivera' }).waitFor()
  const kept = String(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })'))
  assert.ok(kept.includes(site.users.sam), kept)
  assert.doesNotMatch(kept, /rivera|sam@/i)
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  // The second key has its time, which a slow machine could take between two presses.
  await Promise.all(['g', 'o'].map((key) => page.keyboard.press(key)))
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}
