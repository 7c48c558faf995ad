import type { components } from '../console/api/openapi.generated.d.ts'
import { type SendUpload, TUS, UPLOAD_REQUEST_MS, uploadInParts } from '../upload-in-parts.ts'

/** Requests of the page. Shapes are those of docs/contract/22-portal.md. */

type Schemas = components['schemas']
export type Access = Schemas['PortalAccess']
export type Data = Schemas['PortalData']
export type Series = Data['series'][number]
export type Panel = Schemas['PortalResults']['panels'][number]
export type Connection = Schemas['ProviderConnections']['providers'][number]
export type Share = Schemas['PortalShare']
export type Kind = Share['kinds'][number]
export type AccessEntry = Schemas['PortalAccessLog']['data'][number]
export type Export = Schemas['PersonExport']
export type Import = Schemas['ImportJob']

/**
 * An error response, by its status and error_type; `offline` with status 0 without a response,
 * `unavailable` when the server failed.
 */
export class MeRefusal extends Error {
  readonly status: number
  readonly errorType: string

  constructor(status: number, errorType: string) {
    super(errorType)
    this.status = status
    this.errorType = errorType
  }
}

const TIMEOUT_MS = 60_000
const HEADERS = { 'x-salus-portal': '1' }

export type MeClient = ReturnType<typeof createMeClient>

/**
 * @param baseUri Address of the deployment, with a slash at its end.
 * @param onEnd Called when the server refuses the session.
 */
export function createMeClient(baseUri: string, onEnd: (errorType: string) => void) {
  const urlOf = (path: string): string => new URL(`me/${path}`, baseUri).href
  const send = async (method: string, path: string, options: RequestInit) => {
    const response = await sendTo(urlOf(path), { method, ...options })
    if (response.ok) return response
    const refusal = await refusalIn(response)
    if (refusal.status === 401 || refusal.status === 410) onEnd(refusal.errorType)
    throw refusal
  }
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = body && { 'content-type': 'application/json' }
    const response = await send(method, path, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { headers, body: JSON.stringify(body) }),
    })
    return response.json() as Promise<T>
  }
  return {
    urlOf,
    open: (code: string) => call<Access>('POST', 'session', { code }),
    getAccess: () => call<Access>('GET', 'session'),
    signOut: () => call<object>('DELETE', 'session'),
    getData: () => call<Data>('GET', 'data'),
    listResults: () => call<{ panels: Panel[] }>('GET', 'result'),
    listConnections: () => call<{ providers: Connection[] }>('GET', 'connection'),
    connect: (provider: string | null) =>
      call<{ link_web_url: string }>('POST', 'connection', { provider }),
    disconnect: (provider: string) => call<object>('DELETE', `connection/${provider}`),
    listShares: () => call<{ data: Share[] }>('GET', 'share'),
    createShare: (share: { label: string; kinds: Kind[]; expires_in_days: number }) =>
      call<Share & { url: string }>('POST', 'share', share),
    revokeShare: (id: string) => call<Share>('DELETE', `share/${id}`),
    getAccessLog: () => call<Schemas['PortalAccessLog']>('GET', 'access_log'),
    listExports: () => call<{ data: Export[] }>('GET', 'export'),
    createExport: (format: Export['format']) => call<Export>('POST', 'export', { format }),
    listImports: () => call<{ jobs: Import[] }>('GET', 'import'),
    /** Uploads a file, and begins its import. */
    importFile: async (file: File, onProgress: (share: number) => void) => {
      const upload: SendUpload = (method, id, headers, body) =>
        send(method, `import/uploads${id}`, {
          headers: { ...TUS, ...headers },
          signal: AbortSignal.timeout(UPLOAD_REQUEST_MS),
          ...(body !== undefined && { body }),
        })
      const upload_id = await uploadInParts(file, {
        send: upload,
        identity: ['me', baseUri, file.size, file.lastModified].join(' '),
        refusalOf: (error) => (error instanceof MeRefusal ? error : undefined),
        onProgress,
      })
      return call<Import>('POST', 'import', { upload_id })
    },
    requestErasure: () => call<Schemas['PortalErasureRequest']>('POST', 'erasure_request'),
    withdrawErasure: () => call<object>('DELETE', 'erasure_request'),
  }
}

function sendTo(url: string, options: RequestInit): Promise<Response> {
  return fetch(url, {
    ...options,
    headers: { ...HEADERS, ...options.headers },
    cache: 'no-store',
    credentials: 'same-origin',
  }).catch(() => {
    throw new MeRefusal(0, 'offline')
  })
}

async function refusalIn(response: Response): Promise<MeRefusal> {
  const body: unknown = await response.json().catch(() => undefined)
  const { detail } = (body ?? {}) as { detail?: { error_type?: unknown } }
  const errorType = detail?.error_type
  const isNamed = response.status < 500 && typeof errorType === 'string'
  return new MeRefusal(response.status, isNamed ? errorType : 'unavailable')
}
