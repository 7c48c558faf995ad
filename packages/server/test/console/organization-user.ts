import assert from 'node:assert/strict'
import type { Answer, Harness } from '../harness.ts'
import { type ConsoleBrowser, openConsoleBrowser } from './console-browser.ts'

export const PASSWORD = 'seven brown teapots whistle'

let next = 0

/** Invites a user of the organization, a viewer unless the body says another role. */
export async function inviteUser(harness: Harness, more: object = {}) {
  next += 1
  const person = { email: `user${next}@example.com`, name: `User ${next}`, role: 'viewer' }
  const { status, body, text } = await harness.manage('POST', '/user', { ...person, ...more })
  assert.equal(status, 200, text)
  return body
}

export const codeOf = (url: string): string => new URL(url).hash.replace('#code=', '')

export function acceptWith(harness: Harness, code: string, password = PASSWORD): Promise<Answer> {
  const url = '/v1/console/invitation/accept'
  return openConsoleBrowser(harness).send('POST', url, { code, password })
}

/** A browser in which a user signs in by password. */
export async function signInAs(
  harness: Harness,
  email: string,
  password = PASSWORD,
  more: object = {},
): Promise<ConsoleBrowser> {
  const browser = openConsoleBrowser(harness)
  const body = { email, password, ...more }
  const { status, text } = await browser.send('POST', '/v1/console/session', body)
  assert.equal(status, 200, text)
  return browser
}

/** Invites a user, who accepts with a password and signs in. */
export async function makeActiveUser(harness: Harness, more: object = {}) {
  const { user, url } = await inviteUser(harness, more)
  const { status, text } = await acceptWith(harness, codeOf(url))
  assert.equal(status, 200, text)
  return { user, browser: await signInAs(harness, user.email) }
}
