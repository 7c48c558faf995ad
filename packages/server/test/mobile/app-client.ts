import assert from 'node:assert/strict'
import { type Answer, answerOf, type Harness } from '../harness.ts'

export const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const SIGN_IN_TYPE = 'urn:salus:sign-in-token'

export interface Tokens {
  access_token: string
  refresh_token: string
  expires_in: number
}

let nextAddress = 0

/** Each call comes from another address unless one is given: a limit counts them by it. */
const anyAddress = (): string => {
  nextAddress += 1
  return `10.1.${Math.floor(nextAddress / 250)}.${nextAddress % 250}`
}

/** An app as it talks to Salus, and the server of its team. */
export function createAppClient(harness: Pick<Harness, 'app' | 'call'>) {
  async function post(
    url: string,
    payload?: string,
    { headers = {}, from = anyAddress() }: { headers?: object; from?: string } = {},
  ): Promise<Answer> {
    const request = { method: 'POST', url, headers: { ...headers }, remoteAddress: from } as const
    return answerOf(
      await harness.app.inject(payload === undefined ? request : { ...request, payload }),
    )
  }

  const postToken = (fields: Record<string, string>, from?: string) =>
    post('/v1/token', new URLSearchParams(fields).toString(), {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      ...(from !== undefined && { from }),
    })

  /** What the team's server gives to its app, opened. */
  async function makeUserToken(userId: string, headers?: object): Promise<string> {
    const url = `/v2/user/${userId}/sign_in_token`
    const { status, body, text } = await harness.call('POST', url, undefined, headers)
    assert.equal(status, 200, text)
    return openSignInToken(body.sign_in_token).user_token
  }

  const exchange = (userToken: string, from?: string) =>
    postToken(
      { grant_type: EXCHANGE, subject_token_type: SIGN_IN_TYPE, subject_token: userToken },
      from,
    )
  const refresh = (token: string, from?: string) =>
    postToken({ grant_type: 'refresh_token', refresh_token: token }, from)

  async function signIn(userId: string, headers?: object): Promise<Tokens> {
    const { status, body, text } = await exchange(await makeUserToken(userId, headers))
    assert.equal(status, 200, text)
    return body
  }

  /** Calls as the app. */
  async function callAs(
    accessToken: string,
    method: string,
    url: string,
    body?: object,
  ): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${accessToken}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const request = { method: method as 'GET', url, headers }
    return answerOf(
      await harness.app.inject(payload === undefined ? request : { ...request, payload }),
    )
  }

  return { post, postToken, makeUserToken, exchange, refresh, signIn, callAs }
}

export function openSignInToken(token: string): { public_key: string; user_token: string } {
  return JSON.parse(Buffer.from(token, 'base64').toString())
}

/** The header and claims of a token, unchecked. */
export function decodeToken(token: string): [header: Claims, claims: Claims] {
  const [header, claims] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  return [header, claims]
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into claims of every shape
type Claims = Record<string, any>

/** The exact refusal that clients read. */
export function assertTokenRefused(answer: Answer, errorType: string): void {
  assert.deepEqual(
    [answer.status, answer.text],
    [401, JSON.stringify({ detail: { error_type: errorType } })],
  )
}
