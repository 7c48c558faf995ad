import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { inspect } from 'node:util'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import type { OAuth, VendorApp, VendorTokens } from '../../../health/src/connectors/connector.ts'
import type { OAuthConnector } from '../../../health/src/connectors/oauth-client.ts'
import {
  type VendorAddress,
  VendorError,
  type VendorFailure,
} from '../../../health/src/connectors/vendor-client.ts'
import { openHttpSink } from '../local-sink.ts'
import { PLAIN_GUIDE } from './plain-guide.ts'

/** A connector and a vendor of OAuth 2 whose answers a test chooses. */

/** Creates an agent that ends with its test: files that share a process share this module. */
export function openAgent(t: TestContext) {
  const agent = createOutboundAgent({ allowPrivate: true })
  t.after(() => agent.destroy())
  return agent
}

export const NOW = new Date('2026-03-01T12:00:00Z')
export const APP: VendorApp = { clientId: 'app:1', clientSecret: 'app-secret' }
export const TOKENS: VendorTokens = {
  accessToken: 'old-access',
  refreshToken: 'old-refresh',
  expiresAt: 0,
  extra: { patient: '7' },
}
export const ENDED: VendorFailure = { kind: 'ended', errorType: 'token_refresh_failed' }

export function makeConnector(more: Partial<OAuth> = {}): OAuthConnector {
  const auth: OAuth = {
    kind: 'oauth',
    authorizationEndpoint: { host: 'web', path: '/authorize' },
    tokenEndpoint: { host: 'api', path: '/token' },
    revocationEndpoint: { host: 'api', path: '/revoke' },
    clientAuthentication: 'client_secret_post',
    usesPkce: true,
    scopes: ['steps', 'sleep'],
    identify: () => Promise.resolve('1'),
    ...more,
  }
  return { slug: 'oura', hosts: {}, auth, collections: [], budgets: [], guide: PLAIN_GUIDE }
}

interface Seen {
  url: string | undefined
  authorization: string | undefined
  form: Record<string, string>
}

/** A fake vendor with one answer, and the requests that it received. */
export async function openVendor(
  t: TestContext,
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<{ address: VendorAddress; seen: Seen[] }> {
  const seen: Seen[] = []
  const sink = await openHttpSink(t, async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    seen.push({ url: request.url, authorization: request.headers.authorization, form })
    answer(response, request)
  })
  const url = sink.url.replace('[::1]', '127.0.0.1')
  return { address: { slug: 'oura', hosts: { api: url, web: url }, agent: openAgent(t) }, seen }
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }

export const GOOD = {
  access_token: 'new-access',
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: 'new-refresh',
}

/** Returns the failure of a call, and checks that its error quotes neither request nor answer. */
export async function failureOf(work: Promise<unknown>): Promise<VendorFailure> {
  const error = await work.then(
    () => assert.fail('there was an answer'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof VendorError, inspect(error))
  assert.doesNotMatch(inspect(error, { depth: 9 }), /secret|old-|new-|person/)
  return error.failure
}
