import { newId } from '@salus/kernel/ids'
import type { RouteCase } from '../route-cases.ts'
import type { Subject } from '../subject.ts'
import { PASSWORD } from './organization-user.ts'

const theirs = { stranger: 'not found' } as const
const own = { stranger: 'own view' } as const
const fresh = { subject: 'fresh' } as const
const homeView = { strangerAtHome: 'own view' } as const
const fromConsole = { headers: { 'x-salus-console': '1' }, ...own }
const signedIn = { credential: 'console', ...fromConsole } as const

const CONSOLE_SESSIONS = '/v1/org/{org_id}/console_session'

/** Signing in to the console, and who is signed in. */
export const CONSOLE_CASES: readonly RouteCase[] = [
  {
    method: 'POST',
    path: '/v1/console/session',
    body: ({ signInCode }) => ({ code: signInCode }),
    credential: 'none',
    ...fromConsole,
    ...fresh,
  },
  { method: 'GET', path: '/v1/console/sign_in_methods', credential: 'none', ...own },
  { method: 'GET', path: '/v1/console/session', ...signedIn },
  { method: 'DELETE', path: '/v1/console/session', ...signedIn, ...fresh },
  { method: 'GET', path: CONSOLE_SESSIONS, ...theirs, ...homeView },
  { method: 'DELETE', path: `${CONSOLE_SESSIONS}/{session_id}`, ...theirs, ...fresh },
  { method: 'DELETE', path: CONSOLE_SESSIONS, ...theirs, ...homeView, ...fresh },
  { method: 'POST', path: '/v1/console/passkey_challenge', credential: 'none', ...fromConsole },
]

const open = { method: 'POST', credential: 'none', ...fromConsole } as const
const once = { isOnce: true } as const
const INVITATION = '/v1/console/invitation'
const USER = '/v1/console/user'
const plain = { ...signedIn, consoleToken: (subject: Subject) => subject.plainUserToken }
const beginning = { ...signedIn, consoleToken: (subject: Subject) => subject.beginningUserToken }
const complete = { ...signedIn, consoleToken: (subject: Subject) => subject.completeUserToken }

/** Invitations, and what users change of themselves. */
const OWN_USER_CASES: readonly RouteCase[] = [
  { ...open, ...once, path: INVITATION, body: ({ invitationCode: code }) => ({ code }) },
  {
    ...open,
    ...once,
    path: `${INVITATION}/accept`,
    body: ({ codeForPassword: code }) => ({ code, password: PASSWORD }),
  },
  {
    ...open,
    ...once,
    path: `${INVITATION}/passkey_challenge`,
    body: ({ invitationCode: code }) => ({ code }),
  },
  {
    ...open,
    ...once,
    path: `${INVITATION}/accept_with_passkey`,
    body: ({ codeForPasskey: code, invitationRegistration }) => ({
      code,
      name: 'Phone',
      response: JSON.parse(invitationRegistration),
    }),
  },
  { method: 'GET', path: USER, ...plain },
  {
    method: 'PUT',
    path: `${USER}/password`,
    body: () => ({ current_password: PASSWORD, password: `${PASSWORD} again` }),
    ...once,
    ...plain,
  },
  { method: 'POST', path: `${USER}/totp`, ...plain },
  {
    method: 'POST',
    path: `${USER}/totp/confirm`,
    body: ({ firstTotpCode: code }) => ({ code }),
    ...once,
    ...beginning,
  },
  { method: 'POST', path: `${USER}/recovery_codes`, ...complete },
  { method: 'DELETE', path: `${USER}/totp`, ...complete },
  { method: 'POST', path: `${USER}/passkey/challenge`, ...plain },
  {
    method: 'POST',
    path: `${USER}/passkey`,
    body: ({ registration }) => ({ name: 'Laptop', response: JSON.parse(registration) }),
    ...once,
    ...plain,
  },
  { method: 'DELETE', path: `${USER}/passkey/{passkey_id}`, ...complete },
]

const USERS = '/v1/org/{org_id}/user'
const ONE_USER = `${USERS}/{organization_user_id}`
const invited = ({ invitedOrganizationUserId: id }: Subject) => ({ organization_user_id: id })

/** Users of the organization. */
export const ORGANIZATION_USER_CASES: readonly RouteCase[] = [
  ...OWN_USER_CASES,
  { method: 'GET', path: USERS, ...theirs, ...homeView },
  {
    method: 'POST',
    path: USERS,
    body: () => ({ email: `${newId()}@example.com`, name: 'Next', role: 'viewer' }),
    ...theirs,
    ...homeView,
  },
  { method: 'GET', path: ONE_USER, ...theirs },
  { method: 'PATCH', path: ONE_USER, body: () => ({ name: 'Renamed' }), ...theirs },
  { method: 'POST', path: `${ONE_USER}/invitation`, ...theirs },
  { method: 'DELETE', path: `${ONE_USER}/invitation`, params: invited, ...theirs },
  { method: 'DELETE', path: `${ONE_USER}/second_factor`, params: invited, ...theirs },
  {
    method: 'DELETE',
    path: ONE_USER,
    params: ({ removedOrganizationUserId: id }) => ({ organization_user_id: id }),
    ...theirs,
  },
]
