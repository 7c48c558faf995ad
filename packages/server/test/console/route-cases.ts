import type { RouteCase } from '../route-cases.ts'

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
]
