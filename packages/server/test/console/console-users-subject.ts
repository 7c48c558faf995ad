import { totpCode } from '../../../accounts/src/console/factors/totp.ts'
import type { Harness } from '../harness.ts'
import { TestAuthenticator } from './authenticator.ts'
import { type ConsoleBrowser, openConsoleBrowser } from './console-browser.ts'
import { codeOf, inviteUser, makeActiveUser } from './organization-user.ts'

/** Users of the organization in each state that a route is about; answers of browsers as JSON. */
export interface ConsoleUsersSubject {
  organizationUserId: string
  /** Of a user for each route that uses one up. */
  removedOrganizationUserId: string
  invitedOrganizationUserId: string
  /** Codes of invitations: one that stays, and one for each way to accept. */
  invitationCode: string
  codeForPassword: string
  codeForPasskey: string
  invitationRegistration: string
  /** Sessions of users: without a second factor, with an app that gave no code yet, with both. */
  plainUserToken: string
  beginningUserToken: string
  completeUserToken: string
  registration: string
  firstTotpCode: string
  passkeyId: string
}

const NAMES = [
  ...['organizationUserId', 'removedOrganizationUserId', 'invitedOrganizationUserId'],
  ...['invitationCode', 'codeForPassword', 'codeForPasskey', 'invitationRegistration'],
  ...['plainUserToken', 'beginningUserToken', 'completeUserToken'],
  ...['registration', 'firstTotpCode', 'passkeyId'],
] as const

/** What subjects share, because it takes a while to make. */
export function consoleUsersPartOf(subject: ConsoleUsersSubject): ConsoleUsersSubject {
  const values = subject as unknown as Record<string, string>
  return Object.fromEntries(NAMES.map((name) => [name, values[name]])) as never
}

/** Users who do not exist. */
export function unknownConsoleUsers(id: string): ConsoleUsersSubject {
  const answer = JSON.stringify(new TestAuthenticator().create('bm8gY2hhbGxlbmdl'))
  const values = Object.fromEntries(NAMES.map((name) => [name, id]))
  const answers = { registration: answer, invitationRegistration: answer }
  return { ...values, ...answers, firstTotpCode: '000000' } as never
}

async function ask(browser: ConsoleBrowser, path: string, body?: object) {
  const answer = await browser.send('POST', `/v1/console/${path}`, body)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
  return answer.body
}

export async function makeConsoleUsersSubject(harness: Harness): Promise<ConsoleUsersSubject> {
  const codes: string[] = []
  const invited: string[] = []
  for (let count = 0; count < 5; count += 1) {
    const { user, url } = await inviteUser(harness)
    codes.push(codeOf(url))
    invited.push(user.id)
  }
  const [invitationCode = '', codeForPassword = '', codeForPasskey = ''] = codes
  const [organizationUserId = '', , , removedOrganizationUserId = '', last = ''] = invited
  const anyone = openConsoleBrowser(harness)
  const ofInvitation = await ask(anyone, 'invitation/passkey_challenge', { code: codeForPasskey })
  const plain = await makeActiveUser(harness)
  const { challenge } = await ask(plain.browser, 'user/passkey/challenge')
  const beginning = await makeActiveUser(harness)
  const { secret } = await ask(beginning.browser, 'user/totp')
  const complete = await makeActiveUser(harness)
  const step = Math.floor(harness.clock.now().getTime() / 30_000)
  const own = await ask(complete.browser, 'user/totp')
  await ask(complete.browser, 'user/totp/confirm', { code: totpCode(own.secret, step) })
  const begun = await ask(complete.browser, 'user/passkey/challenge')
  const response = new TestAuthenticator().create(begun.challenge)
  const passkey = await ask(complete.browser, 'user/passkey', { name: 'Laptop', response })
  return {
    organizationUserId,
    removedOrganizationUserId,
    invitedOrganizationUserId: last,
    invitationCode,
    codeForPassword,
    codeForPasskey,
    invitationRegistration: JSON.stringify(new TestAuthenticator().create(ofInvitation.challenge)),
    plainUserToken: plain.browser.token ?? '',
    beginningUserToken: beginning.browser.token ?? '',
    completeUserToken: complete.browser.token ?? '',
    registration: JSON.stringify(new TestAuthenticator().create(challenge)),
    firstTotpCode: totpCode(secret, step),
    passkeyId: passkey.id,
  }
}
