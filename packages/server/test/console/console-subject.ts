import { createSignInAddress } from '@salus/accounts/console'
import type { Harness } from '../harness.ts'
import { openConsoleBrowser } from './console-browser.ts'

/** What opens the console. */
export interface ConsoleSubject {
  consoleSessionId: string
  /** The cookie of that session. */
  consoleToken: string
  /** Signs in once. */
  signInCode: string
}

export async function makeConsoleSubject(harness: Harness): Promise<ConsoleSubject> {
  const browser = openConsoleBrowser(harness)
  // As a key of its own: one of the cases ends the sessions of the key that asks.
  const { body: made } = await harness.manage('POST', '/management_key', {
    label: 'Console',
    role: 'org_admin',
  })
  const body = { management_key: made.key }
  const signedIn = await browser.send('POST', '/v1/console/session', body)
  if (signedIn.status !== 200) throw new Error(signedIn.text)
  return {
    consoleSessionId: signedIn.body.id,
    consoleToken: browser.token ?? '',
    signInCode: await makeSignInCode(harness),
  }
}

/** The code of the address that a start prints. */
export async function makeSignInCode({ database: { db }, clock }: Harness): Promise<string> {
  const address = await createSignInAddress({ db, clock }, 'http://localhost')
  return new URL(address ?? '').hash.replace('#code=', '')
}
