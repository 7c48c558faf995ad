import type { SendingTransport } from '@salus/contracts/lab-gateway'

type Tls = NonNullable<Extract<SendingTransport, { kind: 'mllp' }>['tls']>

/** Reads the value of a `secret:` or `file:` reference. */
export type ReadSecret = (reference: string) => Promise<string>

/** Certificates and keys as `node:tls` takes them. */
export interface TlsMaterial {
  ca?: string
  cert?: string
  key?: string
  servername?: string
}

/** Whether messages of a transport are encrypted. */
export const isEncrypted = (tls: Tls | undefined): boolean => (tls?.mode ?? 'off') !== 'off'

/** Reads the certificates and keys that a transport names. @throws Error when one is missing */
export async function readTls(tls: Tls | undefined, readSecret: ReadSecret): Promise<TlsMaterial> {
  if (tls === undefined) return {}
  const read = (reference: string | undefined) =>
    reference === undefined ? undefined : readSecret(reference)
  const [ca, cert, key] = await Promise.all([read(tls.ca), read(tls.cert), read(tls.key)])
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(tls.server_name !== undefined && { servername: tls.server_name }),
  }
}
