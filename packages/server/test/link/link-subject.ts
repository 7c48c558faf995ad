import type { Harness } from '../harness.ts'

/** What a person is connected by. */
export interface LinkSubject {
  linkToken: string
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
  return { linkToken: token.body.link_token, customCredentialId: made.body.id }
}
