import type { Harness } from '../harness.ts'

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
export async function openPortal({ app, call }: Harness, userId: string): Promise<string> {
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

/** Opens a link, of a person or of a share; @returns the cookie of the session. */
export async function openLink({ app }: Pick<Harness, 'app'>, code: string): Promise<string> {
  const response = await app.inject({
    method: 'POST',
    url: '/me/session',
    headers: { 'x-salus-portal': '1' },
    payload: { code },
  })
  const cookie = response.cookies.find(({ name }) => name === 'salus-portal')
  if (cookie === undefined) throw new Error(response.body)
  return cookie.value
}

export async function makePortalSubject(harness: Harness, userId: string): Promise<PortalSubject> {
  const { app, call } = harness
  const portalToken = await openPortal(harness, userId)
  const portalCode = await makePortalCode(harness, userId)
  const { body: listed } = await call('GET', `/v2/user/${userId}/portal_session`)
  const unused = listed.data.find(({ status }: { status: string }) => status === 'unused')
  const send = async (method: 'POST' | 'PATCH', url: string, payload?: object, more = {}) => {
    const cookie = `salus-portal=${portalToken}`
    const headers = { 'x-salus-portal': '1', cookie, ...more }
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
    if (response.statusCode >= 300) throw new Error(`${url}: ${response.body}`)
    return response.body === '' ? {} : response.json()
  }
  const share = { label: 'Physician', kinds: ['heart', 'results'], expires_in_days: 7 }
  const { id: shareId } = await send('POST', '/me/share', share)
  await send('POST', '/me/erasure_request')
  const tus = { 'tus-resumable': '1.0.0' }
  const uploads = '/me/import/uploads'
  const made = await send('POST', uploads, undefined, { ...tus, 'upload-length': '3' })
  await send('PATCH', `${uploads}/${made.id}`, Buffer.from('a,b'), {
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
