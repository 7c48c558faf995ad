import { createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A request as the server got it. */
export interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** What the server answers in place of its own work. */
export interface Answer {
  status: number
  body?: unknown
  headers?: Record<string, string>
  afterMs?: number
}

/** A small FHIR server, which shares no code with the gateway. */
export interface FhirServer {
  base: string
  tokenUrl: string
  /** Requests besides those for tokens, oldest first. */
  received: Received[]
  /** Assertions of the sign-in that were verified. */
  assertions: Record<string, unknown>[]
  /** Resources by `Type/id`. */
  stored: Map<string, Record<string, unknown>>
  /** Answers that are given first, to requests of a path that has the text. */
  faults: { path: string; answer: Answer }[]
  close(): Promise<void>
}

/** @param publicKey PEM with which the sign-in of SMART backend services is verified */
export async function startFhirServer(publicKey?: string): Promise<FhirServer> {
  const tokens = new Set<string>()
  let count = 0
  const answerToken = (body: string): Answer => {
    const jwt = new URLSearchParams(body).get('client_assertion') ?? ''
    const [header = '', claims = '', signature = ''] = jwt.split('.')
    const isGood = verify(
      'RSA-SHA384',
      Buffer.from(`${header}.${claims}`),
      createPublicKey(publicKey ?? ''),
      Buffer.from(signature, 'base64url'),
    )
    if (!isGood) return { status: 401, body: { error: 'invalid_client' } }
    server.assertions.push({
      ...JSON.parse(Buffer.from(header, 'base64url').toString()),
      ...JSON.parse(Buffer.from(claims, 'base64url').toString()),
    })
    const token = `token-${++count}`
    tokens.add(token)
    return { status: 200, body: { access_token: token, token_type: 'bearer', expires_in: 300 } }
  }
  const answerOrder = (body: string): Answer => {
    const bundle = JSON.parse(body)
    const entry = bundle.entry.map(({ resource, request }: Stored) => {
      const type = String(resource.resourceType)
      const condition = request.ifNoneExist ?? request.url.split('?')[1] ?? ''
      const [system, value] = decodeURIComponent(condition.replace('identifier=', '')).split('|')
      const isSame = (each: { system: string; value: string }) =>
        each.system === system && each.value === value
      const known = [...server.stored].find(
        ([path, json]) =>
          path.startsWith(`${type}/`) && [json.identifier as never].flat().some(isSame),
      )
      const path = known?.[0] ?? `${type}/${++count}`
      const id = path.slice(type.length + 1)
      if (known === undefined || request.method === 'PUT') {
        server.stored.set(path, { ...resource, id })
      }
      const location = `${path}/_history/1`
      return { response: { status: known === undefined ? '201 Created' : '200 OK', location } }
    })
    return { status: 200, body: { resourceType: 'Bundle', type: 'transaction-response', entry } }
  }
  const answerSearch = (url: URL, type: string): Answer => {
    const since = url.searchParams.get('_lastUpdated')?.replace('ge', '') ?? ''
    const all = [...server.stored.values()].filter(
      (each) => each.resourceType === type && updatedOf(each) >= Date.parse(since),
    )
    const page = Number(url.searchParams.get('page') ?? 0)
    const next = new URL(url)
    next.searchParams.set('page', String(page + 1))
    const link = page + 1 < all.length ? [{ relation: 'next', url: next.href }] : []
    const entry = all.slice(page, page + 1).map((resource) => ({ resource }))
    return { status: 200, body: { resourceType: 'Bundle', type: 'searchset', link, entry } }
  }
  const answer = (request: Received): Answer => {
    const url = new URL(request.url, server.base)
    if (url.pathname === '/token') return answerToken(request.body)
    server.received.push(request)
    const fault = server.faults.findIndex(({ path }) => request.url.includes(path))
    if (fault >= 0) return (server.faults.splice(fault, 1)[0] as { answer: Answer }).answer
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (publicKey !== undefined && !tokens.has(token)) return { status: 401 }
    if (url.pathname === '/fhir' && request.method === 'POST') return answerOrder(request.body)
    if (url.pathname === '/fhir/metadata') return { status: 200, body: {} }
    const searched = /^\/fhir\/(DiagnosticReport|Task)$/.exec(url.pathname)?.[1]
    if (searched !== undefined) return answerSearch(url, searched)
    const found = server.stored.get(url.pathname.replace('/fhir/', ''))
    return found === undefined ? { status: 404 } : { status: 200, body: found }
  }
  const http = createServer((request, response) => void serve(request, response, answer))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as { port: number }
  const server: FhirServer = {
    base: `http://127.0.0.1:${port}/fhir`,
    tokenUrl: `http://127.0.0.1:${port}/token`,
    received: [],
    assertions: [],
    stored: new Map(),
    faults: [],
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}

interface Stored {
  resource: Record<string, unknown>
  request: { method: string; url: string; ifNoneExist?: string }
}

const updatedOf = ({ meta }: Record<string, unknown>): number =>
  Date.parse((meta as { lastUpdated: string }).lastUpdated)

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: Received) => Answer,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method = '', url = '', headers } = request
  const body = Buffer.concat(chunks).toString('utf8')
  const {
    status,
    body: content,
    headers: more = {},
    afterMs = 0,
  } = answer({
    method,
    url,
    headers,
    body,
  })
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  const isBytes = Buffer.isBuffer(content)
  const type = isBytes ? 'application/pdf' : 'application/fhir+json'
  response.writeHead(status, { 'content-type': type, ...more })
  const text = typeof content === 'string' || isBytes ? content : JSON.stringify(content ?? {})
  response.end(text)
}
