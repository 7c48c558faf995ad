import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'
import { CLIENT_ID } from './peloton-login.ts'

const CALLBACK = 'https://members.onepeloton.com/callback'
const VERIFIER = 'a-verifier-of-some-length-that-is-long-enough'

let vendors: EmulatedVendors
beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

/** Requests an address of the vendor as a browser that knows its cookies does. */
async function open(address: string, cookie = '', form?: Record<string, string>) {
  const { host, pathname, search } = new URL(address)
  const key = host === 'auth-orca.onepeloton.com' ? 'orca' : 'auth'
  const answer = await vendors.emulator.app.inject({
    method: form === undefined ? 'GET' : 'POST',
    url: `/sandbox/providers/peloton/${key}${pathname}${search}`,
    headers: {
      cookie,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form && { payload: new URLSearchParams(form).toString() }),
  })
  const cookies = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return { answer, location: String(answer.headers.location ?? ''), cookies }
}

/** Goes to the page of the sign-in. @returns its state and the cookies so far */
async function start() {
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: CALLBACK,
    response_type: 'code',
    state: 'own',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const first = await open(`https://auth.onepeloton.com/authorize?${query}`)
  const second = await open(first.location)
  const state = new URL(second.location).searchParams.get('state') ?? ''
  return { state, cookies: first.cookies }
}

async function sendPassword(password: string, username = 'mia', csrf?: string) {
  const { state, cookies } = await start()
  const own = /_csrf=([^;]+)/.exec(cookies)?.[1] ?? ''
  const json = { username, password, state, _csrf: csrf ?? own }
  const headers = { cookie: cookies }
  const answer = await vendors.call('POST', 'peloton/auth/usernamepassword/login', {
    json,
    headers,
  })
  return { ...answer, cookies }
}

async function signIn(username = 'mia') {
  const page = await sendPassword('correct', username)
  const value = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? assert.fail(name)
  const wctx = value('wctx').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const form = { wa: value('wa'), wresult: value('wresult'), wctx }
  const sent = await open('https://auth.onepeloton.com/login/callback', page.cookies, form)
  const { location } = await open(sent.location, page.cookies)
  assert.ok(location.startsWith(CALLBACK))
  const code = new URL(location).searchParams.get('code') ?? ''
  const exchange = {
    grant_type: 'authorization_code',
    client_id: CLIENT_ID,
    code,
    code_verifier: VERIFIER,
    redirect_uri: CALLBACK,
  }
  const answer = await vendors.post('peloton/auth/oauth/token', exchange)
  const again = await vendors.post('peloton/auth/oauth/token', exchange)
  assert.equal(again.statusCode, 403, 'a code works once')
  return answer.json()
}

const read = (path: string, token: string, headers: object = { 'peloton-platform': 'web' }) =>
  vendors.call('GET', `peloton/api/api/${path}`, { token, headers })

describe('Peloton', () => {
  test('signs in by the pages of its website only', async () => {
    const tokens = await signIn()
    const { body } = await read('me', tokens.access_token)
    assert.equal(body.id, vendors.emulator.accountIdOf('peloton', 'mia'))
    assert.equal((await read('me', tokens.access_token, {})).status, 403)
    const old = await vendors.call('POST', 'peloton/api/auth/login', { json: {} })
    assert.equal(old.status, 403)
    assert.equal((await sendPassword('wrong')).body.code, 'invalid_user_password')
    assert.equal((await sendPassword('down')).status, 503)
    assert.equal((await sendPassword('correct', 'mia', 'forged')).status, 403)
    for (let tries = 0; tries < 9; tries++) await sendPassword('wrong')
    assert.equal((await sendPassword('wrong')).body.code, 'too_many_attempts')
  })

  test('lists workouts page by page, with a series of each', async () => {
    const { access_token: token } = await signIn()
    const id = vendors.emulator.accountIdOf('peloton', 'mia')
    const listed: { id: string }[] = []
    for (let page = 0; ; page++) {
      const path = `user/${id}/workouts?joins=ride&limit=30&page=${page}&sort_by=-created`
      const { body } = await read(path, token)
      listed.push(...body.data)
      if (!body.show_next) break
    }
    const span = { from: 0, to: vendors.now.getTime() }
    const { workouts } = vendors.emulator.truthOf('peloton', 'mia', span)
    assert.deepEqual(listed, workouts)
    assert.ok(listed.length > 10)
    const { body } = await read(`workout/${listed[0]?.id}/performance_graph?every_n=1`, token)
    assert.equal(body.seconds_since_pedaling_start.length, body.duration)
    assert.equal((await read('workout/x/performance_graph', token)).status, 404)
    assert.equal((await read('user/x/workouts', token)).status, 404)
  })

  test('replaces refresh tokens, and ends all with the password', async () => {
    const tokens = await signIn()
    const refresh = (refresh_token: string) =>
      vendors.post('peloton/auth/oauth/token', {
        grant_type: 'refresh_token',
        client_id: CLIENT_ID,
        refresh_token,
      })
    const next = (await refresh(tokens.refresh_token)).json()
    assert.equal((await refresh(tokens.refresh_token)).json().error, 'invalid_grant')
    assert.equal((await read('me', next.access_token)).status, 200)
    await vendors.emulator.revoke('peloton', 'mia')
    assert.equal((await read('me', next.access_token)).status, 401)
    assert.equal((await refresh(next.refresh_token)).statusCode, 403)
    assert.equal((await sendPassword('correct')).status, 401)
  })
})
