import type { Json, JsonObject } from './document-parts.ts'

/**
 * Credentials of docs/contract/01-conventions.md#credentials, with the header names of public
 * clients where allowed.
 */
export function securitySchemes(aliasesEnabled: boolean): JsonObject {
  const team =
    'Key of a team. It belongs to the sandbox or to production, and requests reach that environment.'
  const management = 'Management key. It manages teams, and never gives access to their data.'
  const alias = 'Key under the header name that public clients use.'
  return {
    teamKey: apiKey('x-service-api-key', team),
    teamToken: {
      type: 'http',
      scheme: 'bearer',
      description:
        'Team access token, which a management key creates; it is valid for ten minutes.',
    },
    ...(aliasesEnabled && { teamKeyAlias: apiKey('x-vital-api-key', alias) }),
    appToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'Access token of an app, for the one user who signed in to it.',
    },
    linkToken: apiKey('x-service-link-token', 'Link token for one sign-in of one user.'),
    managementKey: apiKey('x-management-key', management),
    ...(aliasesEnabled && { managementKeyAlias: apiKey('x-vital-org-key', alias) }),
    consoleSession: {
      type: 'apiKey',
      in: 'cookie',
      name: 'salus-console',
      description:
        'Session of the console, which has the rights of the management key that signed in. Over HTTPS the name starts with `__Host-`, or `__Secure-` below a path. Requests need the header `x-salus-console: 1`.',
    },
    portalSession: {
      type: 'apiKey',
      in: 'cookie',
      name: 'salus-portal',
      description:
        'Session of the page of a person, who opened a link of their team, or of a share. Over HTTPS the name starts with `__Secure-`. Requests need the header `x-salus-portal: 1`.',
    },
  }
}

const apiKey = (name: string, description: string): JsonObject => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
})

/**
 * Returns the credentials that give access to a path, any of them: the management API needs its own
 * key.
 */
export function securityOf(path: string, aliasesEnabled: boolean, isForApps = false): Json[] {
  const ofTeam = ['teamKey', 'teamToken', 'teamKeyAlias', ...(isForApps ? ['appToken'] : [])]
  const names = path.startsWith('/v1/')
    ? ['managementKey', 'managementKeyAlias', 'consoleSession']
    : ofTeam
  return names
    .filter((name) => aliasesEnabled || !name.endsWith('Alias'))
    .map((name) => ({ [name]: [] }))
}
