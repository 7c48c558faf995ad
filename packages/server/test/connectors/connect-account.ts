import assert from 'node:assert/strict'
import type { Connector } from '@salus/health/connectors'
import { open, signInAtVendor } from '../linking/browser.ts'
import type { Linking } from '../linking/linking-fixture.ts'

/**
 * Signs a user in, a new one by default, as the connector's kind of sign-in demands.
 * @returns the user's id
 */
export async function connectAccount(
  linking: Linking,
  { slug, auth }: Connector,
  account: string,
  user?: string,
): Promise<string> {
  const { token, userId } = await linking.issue(user === undefined ? {} : { user_id: user })
  if (auth.kind === 'oauth') {
    const started = await linking.link('GET', `/v2/link/provider/oauth/${slug}`, token)
    assert.equal(started.status, 200, started.text)
    const back = await signInAtVendor(started.body.oauth_url, { account })
    const { location = '', html } = await open(back)
    assert.equal(new URL(location).searchParams.get('state'), 'success', html)
    return userId
  }
  const body =
    auth.kind === 'email' ? { email: account } : { username: account, password: 'correct' }
  const path = `/v2/link/provider/${auth.kind}/${slug}`
  const answer = await linking.link('POST', path, token, body)
  assert.equal(answer.body.state, 'success', answer.text)
  return userId
}
