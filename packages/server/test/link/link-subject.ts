import type { Harness } from '../harness.ts'

/** What a person is connected by. */
export interface LinkSubject {
  linkToken: string
  /** Of a link session that has connected an account. */
  linkContinuation: string
  /** Of the further team's own app with a provider. */
  customCredentialId: string
}

export async function makeLinkSubject(
  harness: Harness,
  { userId, managedTeamId }: { userId: string; managedTeamId: string },
): Promise<LinkSubject> {
  const token = await harness.call('POST', '/v2/link/token', { user_id: userId })
  if (token.status !== 200) throw new Error(token.text)
  const app = { client_id: 'an app', client_secret: 'its secret' }
  const made = await harness.manage('POST', '/team_custom_credentials/sandbox/us', {
    ...app,
    team_id: managedTeamId,
    provider: 'oura',
  })
  if (made.status !== 200) throw new Error(made.text)
  const { link_token: linkToken } = token.body
  const linkContinuation = await makeContinuation(harness)
  return { linkToken, linkContinuation, customCredentialId: made.body.id }
}

async function makeContinuation(harness: Harness): Promise<string> {
  const userId = await harness.makeUser()
  const { body } = await harness.call('POST', '/v2/link/token', { user_id: userId })
  const headers = { 'x-service-link-token': body.link_token, 'x-service-api-key': '' }
  const config = await harness.call('GET', '/v2/team/link/config', undefined, headers)
  await harness.database.pool.query(
    `update link_sessions set state = 'consumed' where user_id = $1`,
    [userId],
  )
  return config.body.continuation
}
