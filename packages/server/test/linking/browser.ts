import assert from 'node:assert/strict'

/** Actions of a user at the pages of an emulated vendor. */
export interface Visit {
  account: string
  password?: string
  /** Answers the vendor's question for the code that it sent. */
  code?: string
  /** Scopes that are unticked. */
  denied?: readonly string[]
  decision?: 'allow' | 'deny' | 'fail' | 'bad_code'
}

export interface Page {
  url: string
  status: number
  html: string
  headers: Headers
  /** Where a redirect leads. */
  location: string | undefined
}

/** Opens a page, or sends a form to it, without following redirects. */
export async function open(url: string, form?: URLSearchParams, headers = {}): Promise<Page> {
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: { accept: 'text/html', ...headers },
    ...(form && { method: 'POST', body: form }),
  })
  const location = answer.headers.get('location') ?? undefined
  const { status } = answer
  return { url, status, html: await answer.text(), headers: answer.headers, location }
}

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The fields of the form on a page as a browser would send them when nothing is changed. */
function fieldsOf(html: string): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
    const [name, type = 'text'] = [attribute('name'), attribute('type')]
    const isSent = type !== 'checkbox' || /\schecked/.test(tag)
    if (name !== undefined && isSent) fields.append(name, unescapeHtml(attribute('value') ?? ''))
  }
  return fields
}

async function submit(page: Page, changes: Record<string, string>): Promise<Page> {
  const fields = fieldsOf(page.html)
  for (const [name, value] of Object.entries(changes)) fields.set(name, value)
  return open(page.url, fields)
}

/**
 * Walks through the pages of an emulated vendor, from the address that Salus names to the one by
 * which the vendor sends the browser back.
 */
export async function signInAtVendor(oauthUrl: string, visit: Visit): Promise<string> {
  const { account, password = 'correct', code, denied = [], decision = 'allow' } = visit
  let page = await open(oauthUrl)
  assert.equal(page.status, 200, page.html)
  page = await submit(page, { username: account, password })
  if (code !== undefined) page = await submit(page, { code })
  const fields = fieldsOf(page.html)
  const scopes = fields.getAll('scope').filter((name) => !denied.includes(name))
  fields.delete('scope')
  for (const scope of scopes) fields.append('scope', scope)
  fields.set('decision', decision)
  const { location, html } = await open(page.url, fields)
  assert.ok(location, html)
  return location
}
