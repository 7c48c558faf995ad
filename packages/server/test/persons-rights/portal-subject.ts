import { type Answer, answerOf, type Harness } from '../harness.ts'

/** What opens the page of a person, and what the page has. */
export interface PortalSubject {
  /** A link that was not opened. */
  portalSessionId: string
  /** The cookie of a session of the person. */
  portalToken: string
  /** Opens the page once. */
  portalCode: string
  shareId: string
  /** A whole upload that was not imported. */
  finishedUploadId: string
}

/** Opens the page of a person with a new link; @returns the cookie of the session. */
export async function openPortal(
  { app, call }: Pick<Harness, 'app' | 'call'>,
  userId: string,
): Promise<string> {
  return openLink({ app }, await makePortalCode({ call }, userId))
}

/** Returns the code of a new link. */
export async function makePortalCode(
  { call }: Pick<Harness, 'call'>,
  userId: string,
  body: object = { context: 'launch' },
  headers?: object,
): Promise<string> {
  const made = await call('POST', `/v2/user/${userId}/create_portal_url`, body, headers)
  if (made.status !== 200) throw new Error(made.text)
  return codeOf(made.body.url)
}

export const codeOf = (url: string): string => new URL(url).hash.replace('#code=', '')

/** Sends the code of a link as the page does. */
export async function sendCode({ app }: Pick<Harness, 'app'>, code: string): Promise<Answer> {
  const headers = { 'x-salus-portal': '1' }
  return answerOf(
    await app.inject({ method: 'POST', url: '/me/session', headers, payload: { code } }),
  )
}

/** Opens a link, of a person or of a share; @returns the cookie of the session. */
export async function openLink(harness: Pick<Harness, 'app'>, code: string): Promise<string> {
  const { headers, text } = await sendCode(harness, code)
  const [, cookie] = /salus-portal=([^;]+)/.exec(String(headers['set-cookie'])) ?? []
  if (cookie === undefined) throw new Error(text)
  return cookie
}

/** Returns functions that send requests as the page does. */
export function createPortalClient(harness: Pick<Harness, 'app'>) {
  const send = async (
    token: string,
    method: string,
    url: string,
    body?: object,
    more: object = {},
  ): Promise<Answer> => {
    const isJson = body !== undefined && !Buffer.isBuffer(body)
    const headers = {
      'x-salus-portal': '1',
      cookie: `salus-portal=${token}`,
      ...(isJson && { 'content-type': 'application/json' }),
      ...more,
    }
    const payload = isJson ? JSON.stringify(body) : (body as Buffer | undefined)
    return answerOf(
      await harness.app.inject({
        method: method as 'GET',
        url,
        headers,
        ...(payload && { payload }),
      }),
    )
  }
  const succeed = async (token: string, method: string, url: string, body?: object) => {
    const answer = await send(token, method, url, body)
    if (answer.status !== 200) throw new Error(`${method} ${url}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  return { send, succeed }
}

export async function makePortalSubject(harness: Harness, userId: string): Promise<PortalSubject> {
  const { call } = harness
  const portalToken = await openPortal(harness, userId)
  const portalCode = await makePortalCode(harness, userId)
  const { body: listed } = await call('GET', `/v2/user/${userId}/portal_session`)
  const unused = listed.data.find(({ status }: { status: string }) => status === 'unused')
  const { send, succeed } = createPortalClient(harness)
  const share = { label: 'Physician', kinds: ['heart', 'results'], expires_in_days: 7 }
  const { id: shareId } = await succeed(portalToken, 'POST', '/me/share', share)
  await succeed(portalToken, 'POST', '/me/erasure_request')
  const tus = { 'tus-resumable': '1.0.0' }
  const uploads = '/me/import/uploads'
  const ofFile = { ...tus, 'upload-length': '3' }
  const { body: made } = await send(portalToken, 'POST', uploads, undefined, ofFile)
  await send(portalToken, 'PATCH', `${uploads}/${made.id}`, Buffer.from('a,b'), {
    ...tus,
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  })
  return {
    portalSessionId: unused.id,
    portalToken,
    portalCode,
    shareId,
    finishedUploadId: made.id,
  }
}
