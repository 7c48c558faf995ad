import type { ProviderEmulator } from '@salus/sandbox/providers'

export interface VendorRequest {
  method: string
  /** Below the folder of the vendor. */
  path: string
  query: URLSearchParams
  authorization: string
  body: unknown
  status: number
}

/** Requests of Salus to the emulated Oura. */
export interface VendorTraffic {
  requests: VendorRequest[]
  clear(): void
  count(method: string, path: string): number
  forms(path: string): URLSearchParams[]
  /** Requests for the data of an account. */
  requestsOf(account: string): VendorRequest[]
}

const PREFIX = '/sandbox/providers/oura'

/**
 * The account that an access token of the emulator names: its tokens can be read by those who look.
 */
function namesAccount({ authorization }: VendorRequest, account: string): boolean {
  const parts = authorization.replace(/^Bearer /, '').split('.')
  return parts.some((part) => Buffer.from(part, 'base64url').toString().includes(`"${account}"`))
}

/** Notes all requests from now on. To be called before the emulator has answered anything. */
export function watchVendor(emulator: ProviderEmulator): VendorTraffic {
  const requests: VendorRequest[] = []
  emulator.app.addHook('onResponse', async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url, 'http://vendor')
    requests.push({
      method: request.method,
      path: pathname.replace(PREFIX, ''),
      query: searchParams,
      authorization: request.headers.authorization ?? '',
      body: request.body,
      status: reply.statusCode,
    })
  })
  return {
    requests,
    clear: () => void requests.splice(0),
    count: (method, path) =>
      requests.filter((one) => one.method === method && one.path === path).length,
    forms: (path) =>
      requests
        .filter((one) => one.path === path)
        .map(({ body }) => new URLSearchParams(body as Record<string, string>)),
    requestsOf: (account) =>
      requests.filter((one) => one.path.startsWith('/api/v2/user') && namesAccount(one, account)),
  }
}
